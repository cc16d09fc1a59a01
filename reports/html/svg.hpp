#pragma once
#include <string>
#include <string_view>

namespace shakedown::svg {

/// The width of a plot's own coordinates: two plots share a printed page's width.
inline constexpr double plot_width = 480;

/// Maps values to a plot's coordinates.
class Axis {
 public:
  /// `low` lies at `from`, `high` at `to`. Values that are all the same lie in the middle.
  Axis(double low, double high, double from, double to) : low_(low), high_(high), from_(from), to_(to) {}
  [[nodiscard]] double at(double value) const {
    if (!(high_ > low_)) return (from_ + to_) / 2;
    return from_ + (to_ - from_) * (value - low_) / (high_ - low_);
  }

 private:
  double low_;
  double high_;
  double from_;
  double to_;
};

/// The start of an element <svg> that is one picture to a screen reader.
std::string begin(double height, std::string_view label);

/// A text; `anchor` is "start", "middle" or "end".
std::string text(double x, double y, std::string_view anchor, std::string_view shown);

/// The width that a text takes at most in the style sheet's size, by the widest of its fonts.
double text_room(std::string_view shown);

/// A text whose anchor keeps it within the plot.
std::string text_within(double x, double y, std::string_view shown);

/// A line of the style sheet's class `css`.
std::string line(double x1, double y1, double x2, double y2, std::string_view css);

/// A rectangle of the style sheet's class `css`.
std::string rect(double x, double y, double width, double height, std::string_view css);

}  // namespace shakedown::svg

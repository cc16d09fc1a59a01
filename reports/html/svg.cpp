#include "reports/html/svg.hpp"

#include <fmt/format.h>

#include "reports/html/template.hpp"

namespace shakedown::svg {

std::string begin(double height, std::string_view label) {
  return fmt::format("<svg class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">",
                     plot_width, height, escaped(label));
}

std::string text(double x, double y, std::string_view anchor, std::string_view shown) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escaped(shown));
}

double text_room(std::string_view shown) {
  constexpr double widest =
      8.3;  // DejaVu Sans: digits take 0.64 of the size, 13 px, and letters less on average
  return widest * static_cast<double>(shown.size());
}

std::string text_within(double x, double y, std::string_view shown) {
  const std::string_view anchor = x > plot_width * 0.7 ? "end" : x < plot_width * 0.3 ? "start" : "middle";
  return text(x, y, anchor, shown);
}

std::string line(double x1, double y1, double x2, double y2, std::string_view css) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", css, x1, y1, x2, y2);
}

std::string rect(double x, double y, double width, double height, std::string_view css) {
  return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", css,
                     x, y, width, height);
}

}  // namespace shakedown::svg

#include "reports/html/figures.hpp"

#include <iterator>

namespace shakedown {
namespace {

Fields cell(const std::string& text) {
  return Fields().text("text", text);
}

/// Each cell with its column's title: a narrow page shows the row as a card.
Fields figure_row(const std::vector<std::string>& columns, const std::vector<std::string>& row) {
  std::vector<Fields> cells;
  cells.reserve(row.size());
  for (std::size_t i = 1; i < row.size(); ++i)
    cells.push_back(cell(row[i]).text("title", i < columns.size() ? columns[i] : ""));
  return Fields().text("name", row.empty() ? "" : row.front()).list("cells", std::move(cells));
}

Fields figure_fields(const Figure& figure) {
  return Fields()
      .text("title", figure.title)
      .text_if("caption", figure.caption)
      .markup("drawn", figure.drawn)
      .list("columns", rows_of(figure.columns, cell))
      .list("rows", rows_of(figure.rows, [&](const auto& row) { return figure_row(figure.columns, row); }));
}

}  // namespace

std::vector<Figure> suite_figures(const ReportInput& input, std::string_view suite) {
  std::vector<Figure> all;
  for (auto* made : {repetition_figures, scaling_figures, progress_figures, phase_figures, set_figures}) {
    std::vector<Figure> some = made(input, suite);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

Result<std::string> figures_markup(const std::vector<Figure>& figures) {
  if (figures.empty()) return std::string();
  return filled("figures.mustache", Fields().list("figures", rows_of(figures, figure_fields)));
}

}  // namespace shakedown

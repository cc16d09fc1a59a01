#pragma once
#include <boost/pfr/core.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

using TextChange = std::function<void(std::string&)>;

/// Applies `change` to every text within a value: of structs to all their members, whatever is added to them,
/// so that no text is missed. What a metric, a phase, a parameter, a fact or a rule is called stays.
template <class T>
void each_text(T& value, const TextChange& change);

inline void each_text(std::string& value, const TextChange& change) {
  change(value);
}

inline void each_text(Metric& /*value*/, const TextChange& /*change*/) {}
inline void each_text(Phase& /*value*/, const TextChange& /*change*/) {}

inline void each_text(Parameter& value, const TextChange& change) {
  if (auto* text = std::get_if<std::string>(&value.value)) change(*text);
}

inline void each_text(Fact& value, const TextChange& change) {
  change(value.value);
}

inline void each_text(RuleResult& value, const TextChange& change) {
  change(value.value);
  change(value.text);
}

/// The hash stays that of the text as it was given.
inline void each_text(CriteriaRevision& value, const TextChange& change) {
  if (!value.text.empty()) value.given_sha256 = criteria_sha256(value);
  for (std::string* text : {&value.name, &value.text, &value.reason}) change(*text);
}

template <class T>
void each_text(std::optional<T>& value, const TextChange& change) {
  if (value) each_text(*value, change);
}

template <class T>
void each_text(std::vector<T>& values, const TextChange& change) {
  for (T& value : values) each_text(value, change);
}

template <class A, class B>
void each_text(std::pair<A, B>& value, const TextChange& change) {
  each_text(value.first, change);
  each_text(value.second, change);
}

template <class... T>
void each_text(std::variant<T...>& value, const TextChange& change) {
  std::visit([&](auto& held) { each_text(held, change); }, value);
}

template <class V>
void each_text(std::map<std::string, V>& values, const TextChange& change) {
  std::map<std::string, V> changed;
  for (auto& [key, value] : values) {
    std::string name = key;
    change(name);
    each_text(value, change);
    changed.emplace(std::move(name), std::move(value));
  }
  values = std::move(changed);
}

inline void each_text(std::set<std::string>& values, const TextChange& change) {
  std::set<std::string> changed;
  for (std::string name : values) {
    change(name);
    changed.insert(std::move(name));
  }
  values = std::move(changed);
}

template <class T>
void each_text(T& value, const TextChange& change) {
  if constexpr (!std::is_arithmetic_v<T> && !std::is_enum_v<T>) {
    static_assert(std::is_aggregate_v<T>, "a type whose texts are not known");
    boost::pfr::for_each_field(value, [&](auto& member) { each_text(member, change); });
  }
}

}  // namespace shakedown

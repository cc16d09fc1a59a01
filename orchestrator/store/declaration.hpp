#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// That somebody made a campaign the reference of its system. The newest of a system holds; none is ever
/// withdrawn or changed. One that is declared a part (what was measured again after a change) adds to the one
/// before it: what it has not measured stays as it was accepted.
struct AcceptedCampaign {
  std::string system;
  std::string campaign;
  double at_s = 0;  ///< seconds since 1970 UTC
  std::string by;   ///< who
  std::string why;
  bool part = false;  ///< it covers what changed since the one before
  friend bool operator==(const AcceptedCampaign&, const AcceptedCampaign&) = default;
};

/// What can happen to a node that no inventory shows.
enum class NodeEventKind {
  reboot,    ///< it was restarted
  replaced,  ///< it, or a part of it, is another one of the same make
  moved,     ///< it is placed, or connected, elsewhere
};
std::string_view to_string(NodeEventKind kind);
std::optional<NodeEventKind> node_event_kind(std::string_view text);

/// A declared event of a node.
struct NodeEvent {
  std::string system;
  std::string node;
  NodeEventKind kind = NodeEventKind::reboot;
  double at_s = 0;   ///< seconds since 1970 UTC, when it was declared
  std::string by;    ///< who
  std::string note;  ///< in that one's words; may be empty
  friend bool operator==(const NodeEvent&, const NodeEvent&) = default;
};

}  // namespace shakedown

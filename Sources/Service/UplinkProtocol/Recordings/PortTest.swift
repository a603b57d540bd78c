/// Apps of a list that are no apps: replays on other ports. Their control is that of the list on port 443.
public enum PortTest: String, CaseIterable, Sendable {
  /// Little is transferred.
  case small = "SMALL_PORT"
  /// Much is transferred.
  case large = "LARGE_PORT"

  /// The member of a list that names the control.
  var controlField: String {
    switch self {
    case .small: "port443small"
    case .large: "port443large"
    }
  }
}

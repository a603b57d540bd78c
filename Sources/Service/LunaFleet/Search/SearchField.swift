/// The fields by which gateways are searched.
enum SearchField: String, CaseIterable, Sendable {
  case name, hub, key, site, tag, ip, mac, manufacturer, model, version, state, verdict, reason
  case seen, queue, packets, has, near

  /// Those whose values are texts.
  var isText: Bool {
    switch self {
    case .version, .seen, .queue, .packets, .has, .near: false
    default: true
    }
  }

  /// The only values that there are.
  var words: [String]? {
    switch self {
    case .state: GatewayStatus.states
    case .verdict: GatewayStatus.verdicts
    default: nil
    }
  }
}

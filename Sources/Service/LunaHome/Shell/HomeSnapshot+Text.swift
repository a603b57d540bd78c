extension HomeSnapshot {
  /// How much there is in a home, and how it stands with what it depends on, in words.
  package var statistics: String {
    let links: [(String, HomeLink?)] = [
      ("radio", radio), ("backend", backend), ("broker", broker), ("uplink", uplink),
    ]
    let states = links.compactMap { name, link in
      link.map { "\(name) \($0.state.rawValue): \($0.text)" }
    }
    let counts = [
      "\(trackers.count) tracker\(trackers.count == 1 ? "" : "s")",
      "\(notices.count) notice\(notices.count == 1 ? "" : "s")",
    ]
    return (counts + states).joined(separator: "; ")
  }
}

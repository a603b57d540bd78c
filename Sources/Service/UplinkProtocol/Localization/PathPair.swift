/// Two ways that share their beginning and part: a Y (UPLINK.md, 9).
package struct PathPair: Hashable, Sendable {
  /// How many hops they share.
  package let shared: Int
  /// Whether too little is known of them, and somebody has taken them for good.
  package let isUnknown: Bool

  /// Looks at two ways.
  ///
  /// - Parameter isForced: whether ways are taken of which too little is known.
  /// - Throws: `sameServer`, `pathUnknown`, `noFork` or `pathsMeetAgain`.
  package init(
    _ first: NetworkPath, _ second: NetworkPath, isForced: Bool = false
  ) throws(LocalizationError) {
    guard first.server != second.server else { throw LocalizationError(.sameServer) }
    // A hop that says nothing may be any.
    let fork = zip(first.hops, second.hops).prefix { one, other in
      one.isEmpty || other.isEmpty || !one.isDisjoint(with: other)
    }.count
    let ends = (first.hops[fork...], second.hops[fork...])
    let parts = !ends.0.isEmpty || !ends.1.isEmpty
    // Where they part a hop may have said nothing: then nobody knows whether they do.
    let isDoubtful = !parts && (first.hops + second.hops).contains(where: \.isEmpty)
    shared = fork
    isUnknown = first.isUnknown || second.isUnknown || isDoubtful
    guard !isUnknown || isForced else { throw LocalizationError(.pathUnknown) }
    guard parts || isUnknown else { throw LocalizationError(.noFork) }
    guard fork > 0 || isUnknown else {
      throw LocalizationError(.noFork, because: "they have nothing in common")
    }
    let one = ends.0.reduce(into: Set<String>()) { $0.formUnion($1) }
    guard ends.1.allSatisfy({ $0.isDisjoint(with: one) }) else {
      throw LocalizationError(.pathsMeetAgain)
    }
  }
}

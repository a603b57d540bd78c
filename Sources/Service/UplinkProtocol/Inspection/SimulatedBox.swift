/// A network that is made up, and looks into what goes through it: what it recognises is known.
package struct SimulatedBox: Sendable {
  /// What it recognises.
  package enum Behaviour: String, CaseIterable, Sendable {
    /// A name.
    case name
    /// Two words, both of which have to be there.
    case spans
    /// Either of two words.
    case either
    /// One byte.
    case byte
    /// A word of which a part is in the next packet.
    case packets
    /// Nothing that can be changed.
    case nothing
    /// A name, and it varies so much that nothing can be found out.
    case noise
  }

  private static let name = "luna.example"
  private static let texts = [
    "POST /v1/events HTTP/1.1\r\nHost: \(name)\r\nX-", "Trace: 1\r\n\r\n",
  ]

  /// What goes through it.
  package let bytes: InspectedBytes
  private let behaviour: Behaviour
  private var link: SimulatedLink
  private var generator: SplitMix64

  /// A network whose chance comes from a seed; nil where nothing can be made up.
  package init?(_ behaviour: Behaviour, seed: UInt64) {
    guard let replay = ReplayName("Simulated"),
      let pair = ConnectionPair("192.000.002.001.40000-192.000.002.002.00080")
    else { return nil }
    bytes = InspectedBytes(
      Recording(
        name: replay, pairs: [pair],
        requests: SimulatedBox.texts.map { text in
          RecordedRequest(
            pair: pair, time: 0, payload: Array(text.utf8), answerLength: 1, answerHash: nil)
        }))
    self.behaviour = behaviour
    link = SimulatedLink(.throttled, seed: seed)
    generator = SplitMix64(seed: seed)
  }

  /// What comes of a slot.
  package mutating func slot(_ subject: Inspection.Subject) -> SlotRecord {
    var isTreated = recognises(subject)
    if behaviour == .noise, Bool.random(using: &generator) { isTreated.toggle() }
    return link.slot(isTreated ? .original : .control, .rate)
  }

  private func recognises(_ subject: Inspection.Subject) -> Bool {
    switch subject {
    case .original: return true
    case .control: return false
    case .probe(.field(let field)): return field != .sni || behaviour == .nothing
    case .probe(.bytes(let ranges)):
      let all = InspectedBytes(bytes.inverted(ranges)).all
      func has(_ word: String) -> Bool {
        let word = Array(word.utf8)
        return all.indices.contains { all[$0...].starts(with: word) }
      }
      switch behaviour {
      case .name, .noise: return has(SimulatedBox.name)
      case .spans: return has("events") && has(SimulatedBox.name)
      case .either: return has("events") || has(SimulatedBox.name)
      case .byte: return all.first == bytes.all.first
      case .packets: return has("X-Trace")
      case .nothing: return true
      }
    }
  }
}

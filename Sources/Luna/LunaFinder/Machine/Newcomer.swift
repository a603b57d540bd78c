/// An identifier that was heard in a flood of new ones, and not reported yet.
struct Newcomer: Hashable, Sendable {
  /// How far apart sightings have to be to count one by one.
  static let step: Duration = .seconds(1)

  /// When it was heard last in a way that counted.
  private(set) var counted: Duration
  private(set) var lastHeard: Duration
  /// In how many seconds it was heard: what costs a transmitter most.
  private(set) var seconds = 1
  private(set) var rssi: Int?
  /// Until when it is reported as soon as it is heard.
  var grantedUntil: Duration?

  init(_ rssi: Int?, at elapsed: Duration) {
    counted = elapsed
    lastHeard = elapsed
    self.rssi = rssi
  }

  mutating func hear(_ rssi: Int?, at elapsed: Duration) {
    lastHeard = elapsed
    self.rssi = rssi
    guard elapsed - counted >= Newcomer.step else { return }
    counted = elapsed
    seconds += 1
  }

  /// What is as strong is perhaps from the same transmitter.
  var band: Int { rssi.map { max(-128, min(127, $0)) / 6 } ?? 100 }
}

/// Knows the usual traffic of a place, and with it how long nothing has to be heard before that is
/// strange. It takes the times at which something was heard, since some start.
struct TrafficWatch: Sendable {
  /// A silence is strange when it is so many times the usual gap.
  static let factor = 10
  /// What comes within this is one: of two trackers in a burst one learns nothing about silences.
  static let grain = Duration.seconds(1)
  /// The gaps that make up what is usual: later ones count as if it were the last of so many.
  static let memory = 32

  /// No silence is strange before this.
  let minimum: Duration
  /// The mean of the gaps, the latest ones above all; nil until there was one.
  private(set) var usualGap: Duration?
  /// When something was heard last.
  private(set) var lastHeard: Duration?
  private var gapBegan: Duration?
  private var gaps = 0

  init(minimum: Duration) { self.minimum = minimum }

  /// How long nothing has to be heard: ten times the usual gap, and the minimum at least.
  var limit: Duration { max(minimum, (usualGap ?? .zero) * TrafficWatch.factor) }

  /// Something was heard.
  mutating func heard(at now: Duration) {
    lastHeard = now
    guard let began = gapBegan else {
      gapBegan = now
      return
    }
    guard now - began >= TrafficWatch.grain else { return }
    gapBegan = now
    gaps = min(gaps + 1, TrafficWatch.memory)
    let usual = usualGap ?? .zero
    usualGap = usual + (now - began - usual) / gaps
  }

  /// Nothing could be heard for a while: the gap that goes on tells nothing about the place.
  mutating func interrupted() { gapBegan = nil }
}

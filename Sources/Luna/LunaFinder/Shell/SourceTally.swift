import Bluetooth

/// What was heard and lost in a run, by all the sources that it has listened to: with another duty it
/// listens to another one.
struct SourceTally: Sendable {
  private var before = SourceCounters()
  private var source: (any AdvertisementSource)?

  /// Another source is listened to. What the last one still counts while it ends is there already: it has
  /// ended before.
  mutating func turn(to next: any AdvertisementSource) {
    before = counters
    source = next
  }

  var counters: SourceCounters {
    var sum = before
    if let source { sum.add(source.counters) }
    return sum
  }
}

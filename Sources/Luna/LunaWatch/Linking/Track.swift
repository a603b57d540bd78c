/// What was heard under one identifier.
struct Track: Sendable {
  /// What was heard of a trip.
  struct Ride: Sendable {
    /// Its number.
    let trip: Int
    /// Slots of the trip.
    var heard: UInt16
    /// Of these, with the owner near.
    var near: UInt16
    /// Slots of the visit after it.
    var after: UInt16
    /// When it was last heard in that visit; 0 for never.
    var lastAfter: Int
  }

  /// No other track.
  static let none: Int32 = -1

  let identifier: WatchIdentifier
  /// When it was first and last heard, s.
  let first: Int
  var last: Int
  /// Since when it was heard without a pause of ten minutes.
  var stretch: Int
  let firstTraits: UInt32
  var lastTraits: UInt32
  var lastState: WatchState
  var exclusion: WatchExclusion?
  /// Whether it counts as ended, and is no longer looked after.
  var isActive = true
  var head = Signals()
  var tail = Signals()
  var slots = Slots()
  var rides: [Ride] = []
  /// The tracks before and after it, of the same tracker, and how sure the link to the one before is.
  var previous = Track.none
  var next = Track.none
  var confidence = 1.0
  /// The highest grade that was told, and when.
  var told: WatchGrade?
  /// Whether it was told that it came along on three days with its owner near; here it needs no room of its own.
  var isToldOfDays = false
  var toldAt = 0
  var toldTrips = 0

  init(_ frame: WatchFrame, at time: Int) {
    identifier = frame.identifier
    first = time
    last = time
    stretch = time
    firstTraits = frame.traits
    lastTraits = frame.traits
    lastState = frame.state
    exclusion = frame.exclusion
  }

  /// How long it was heard, s.
  var lifetime: Int { last - first }
}

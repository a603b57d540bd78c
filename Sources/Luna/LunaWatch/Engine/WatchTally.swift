/// What was listened to, and what was told.
struct WatchTally: Sendable {
  /// A pause in which nothing at all was heard is a gap from here on, s.
  private static let pause = 120

  var seconds = 0
  var gaps = 0
  var gapSeconds = 0
  var dropped = 0
  var trips = 0
  var notices = 0
  var suspects = 0
  var alarms = 0
  var possible = 0
  private var last: Int?

  /// Nothing was listened to yet.
  init() {}

  /// It goes on from what a process before has listened to; the time between the two is a gap.
  init(seconds: Int, gaps: Int, gapSeconds: Int, dropped: Int, last: Int) {
    self.seconds = seconds
    self.gaps = gaps
    self.gapSeconds = gapSeconds
    self.dropped = dropped
    self.last = last
  }

  /// Something was heard.
  @inline(__always)
  mutating func hear(at time: Int) {
    guard let last else {
      self.last = time
      return
    }
    let step = time - last
    if step == 0 { return }
    if step < WatchTally.pause {
      seconds += step
    } else {
      gaps += 1
      gapSeconds += step
    }
    self.last = time
  }

  /// Something was told.
  mutating func tell(_ grade: WatchGrade) {
    switch grade {
    case .notice: notices += 1
    case .suspect: suspects += 1
    case .alarm: alarms += 1
    case .possible: possible += 1
    }
  }
}

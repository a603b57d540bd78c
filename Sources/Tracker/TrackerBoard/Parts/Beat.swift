/// What a buzzer or a light does until it is stopped: on for a while, off for a while.
package struct Beat: Hashable, Sendable {
  /// Beeps, as those of a tracker in software.
  package static let sound = Beat(on: 200, off: 300)
  /// Flashes.
  package static let light = Beat(on: 100, off: 400)

  private let on: Int64
  private let off: Int64
  private var startedAt: Int64?
  private var isOn = false
  /// When ``tick(at:)`` has to be called.
  package private(set) var deadline: Int64?

  /// A beat that is not there yet; times in ms.
  package init(on: Int64, off: Int64) {
    self.on = max(on, 1)
    self.off = max(off, 1)
  }

  /// Begins, also anew.
  package mutating func start(at uptime: Int64) {
    startedAt = uptime
    deadline = uptime
  }

  /// Ends.
  package mutating func stop() {
    startedAt = nil
    deadline = isOn ? .min : nil
  }

  /// Time has passed.
  ///
  /// - Returns: whether it is to be on, when that has changed.
  package mutating func tick(at uptime: Int64) -> Bool? {
    let wasOn = isOn
    if let startedAt {
      let phase = max(0, uptime - startedAt) % (on + off)
      isOn = phase < on
      deadline = uptime - phase + (isOn ? on : on + off)
    } else {
      isOn = false
      deadline = nil
    }
    return isOn == wasOn ? nil : isOn
  }
}

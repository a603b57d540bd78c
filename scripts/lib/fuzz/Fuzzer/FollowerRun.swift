import Bluetooth
import Diagnosis
import LunaCore
import LunaLocal
import LunaProtocol

/// A follower of devices with any onboarding and any stored clock, which hears anything at any time.
enum FollowerRun {
  @Sendable static func run(_ bytes: [UInt8]) {
    var script = ScriptReader(bytes)
    let flags = script.byte()
    let onboarded = script.number()
    let index = UInt32(truncatingIfNeeded: script.number())
    var configuration = LocalConfiguration()
    configuration.isRecording = flags & 1 != 0
    if flags & 2 != 0 {
      configuration.time = ProtocolTime(
        epoch: Timestamp(microseconds: script.number()), speed: script.number())
    }
    let devices = OwnTracker.devices(
      onboarded: onboarded, index: index, slow: flags & 0xF0 == 0x10)
    guard let follower = try? TrackerFollower(devices, configuration: configuration) else { return }
    if flags & 4 != 0 {
      let interval = ClockInterval(
        low: script.number(), high: script.number(), time: script.number())
      let track = ProvisionalTrack(
        interval: interval, lastPeriod: index, distinctPeriods: Int(script.byte()))
      let state = ClockState(interval: interval, provisional: flags & 8 != 0 ? track : nil)
      follower.restore(Dictionary(uniqueKeysWithValues: devices.map { ($0.uuid, state) }))
    }
    var updates: [LocalUpdate] = []
    var steps = 0
    while !script.isAtEnd, steps < 16 {
      steps += 1
      let step = script.byte()
      let time = script.number()
      switch step % 6 {
      case 0: follower.receive(script.report(at: time), into: &updates)
      case 1:
        let period = Period.number(at: Timestamp(microseconds: time).unixMilliseconds)
        let shift = UInt32(bitPattern: Int32(Int8(bitPattern: script.byte())))
        follower.receive(OwnTracker.report(period &+ shift, at: time), into: &updates)
      case 2: follower.advance(to: Timestamp(microseconds: time), into: &updates)
      case 3: follower.ownerClockStepped(by: .microseconds(time))
      case 4: follower.deriveMeanwhile()
      default: _ = follower.wantedDerivations(at: Timestamp(microseconds: time))
      }
    }
    _ = follower.takeProblems().map(\.description)
    if let news = follower.takeNews() {
      precondition(!configuration.isRecording || news.clocks.isEmpty && news.sightings.isEmpty)
    }
    for device in follower.devices { _ = device.snapshot }
  }
}

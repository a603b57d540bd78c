import Bluetooth
import CommandSpec
import LunaDocuments
import Testing

@testable import LunaCLI

@Suite struct StopTimeTests {
  private func read(_ text: String) throws(ValueProblem) -> StopTime? {
    try ValueReader<StopTime?>.stopTime.read(text)
  }

  @Test func isALengthOrATimeOfDay() throws {
    #expect(try read("90s") == .after(.seconds(90)))
    #expect(try read("10") == .after(.seconds(10)))
    #expect(try read("15:00") == TimeOfDay("15:00").map { .at($0) })
    for text in ["24:00", "0", "-5s", "15:0", "soon", ""] {
      #expect(throws: ValueProblem.self) { try read(text) }
    }
  }

  @Test func aTimeOfDayIsADayAwayAtMost() throws {
    let time = try #require(TimeOfDay("15:00"))
    let duration = StopTime.at(time).duration(ZoneOptions(isUTC: true))
    #expect(duration > .zero && duration <= .seconds(86_400))
  }

  /// `luna buzz`, `luna identify` and what else connects: until they give up.
  @Test func aConnectionMayHaveOne() throws {
    var options = RadioOptions()
    #expect(options.duration == nil)
    options.end = try read("90s")
    #expect(options.duration == .seconds(90))
    options.end = try read("15:00")
    options.zone.isUTC = true
    let duration = try #require(options.duration)
    #expect(duration > .zero && duration <= .seconds(86_400))
  }

  @Test func anExaminationMayEndAtATimeOfDay() throws {
    let time = try #require(TimeOfDay("15:00"))
    #expect(try DoctorCommand.command.parse(["-T", "15:00"]).end == .at(time))
    #expect(try DoctorCommand.command.parse([]).end == nil)
  }

  @Test func aRecordingHasNoTimeOfDay() throws {
    var options = ListenOptions()
    options.end = try read("15:00")
    try options.check()
    options.readPath = "air.btsnoop"
    #expect(throws: ValueProblem.self) { try options.check() }
  }
}

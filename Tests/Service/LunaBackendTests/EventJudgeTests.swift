import LunaCore
import LunaJSON
import LunaWire
import Testing

@testable import LunaBackend

@Suite struct EventJudgeTests {
  private let judge = EventJudge(today: Samples.today, retentionDays: 10, allowsDebugFields: false)

  private func rejection(_ json: JSONValue) -> EventRejection? {
    do throws(EventRejection) {
      _ = try judge.judge(json)
      return nil
    } catch {
      return error
    }
  }

  private func event(_ day: Int32) -> JSONValue {
    Samples.event(1, day: Samples.today + day).json
  }

  private func changed(_ name: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(var object) = event(0) else { return .null }
    object.members.removeAll { $0.name == name }
    if let value { object.append(name, value) }
    return .object(object)
  }

  @Test func takesTodayTomorrowAndTheRetention() throws {
    #expect(rejection(event(0)) == nil)
    #expect(rejection(event(1)) == nil)
    #expect(rejection(event(2)) == .dayInFuture)
    #expect(rejection(event(-10)) == nil)
    #expect(rejection(event(-11)) == .dayExpired)
    #expect(try judge.judge(event(0)) == Samples.event(1))
  }

  @Test(
    arguments: [
      ("heid", nil), ("heid", "A09867114718541141ed60664ce88cbb"), ("heid", "a098"), ("heid", 5),
      ("encodedLocation", "AQ=="), ("encodedLocation", "x"), ("esf", "A77593"), ("esf", "a775"),
      ("day", "2026-02-30"), ("day", "2026-11-21T00:00:00Z"), ("day", 20_000),
      ("protocolVersion", "1"), ("protocolVersion", .real(1)), ("debug", 5),
    ] as [(String, JSONValue?)])
  func refusesWhatIsMalformed(name: String, value: JSONValue?) {
    #expect(rejection(changed(name, value)) == .malformed)
  }

  @Test func refusesOtherVersionsBeforeLookingFurther() {
    #expect(rejection(["protocolVersion": 2]) == .unsupportedVersion)
    #expect(rejection(5) == .malformed)
  }

  @Test func refusesClearFieldsUnlessForTests() throws {
    let clear = changed("debug", ["latitude": 1])
    #expect(rejection(clear) == .debugRefused)
    let tests = EventJudge(today: Samples.today, retentionDays: 10, allowsDebugFields: true)
    #expect(try tests.judge(clear).debug == ["latitude": 1])
    // null is as good as nothing.
    #expect(rejection(changed("debug", .null)) == nil)
  }
}

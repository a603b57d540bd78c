import Bluetooth
import LunaCore
import LunaDocuments
import Testing

@Suite struct GivenTimeTests {
  /// Berlin in 2026: forward on 29 March at 01:00 UTC, back on 25 October at 01:00 UTC.
  struct Berlin: CivilZone {
    let name = "Berlin"

    func offset(at moment: Timestamp) -> Int64 {
      let summer = Timestamp(rfc3339: "2026-03-29T01:00:00Z") ?? .unknown
      let winter = Timestamp(rfc3339: "2026-10-25T01:00:00Z") ?? .unknown
      return moment >= summer && moment < winter ? 7200 : 3600
    }
  }

  /// Clocks that are put forward at midnight of 2026-09-06, as in Chile.
  struct Santiago: CivilZone {
    let name = "Santiago"

    func offset(at moment: Timestamp) -> Int64 {
      let change = Timestamp(rfc3339: "2026-09-06T04:00:00Z") ?? .unknown
      return moment < change ? -14_400 : -10_800
    }
  }

  private static let now = Timestamp(rfc3339: "2026-11-26T23:30:00Z") ?? .unknown

  private func moment(_ text: String, _ zone: some CivilZone) throws -> String {
    try #require(GivenTime(text)).moment(at: Self.now, in: zone).rfc3339
  }

  /// It is half past midnight on the 27th in Berlin.
  @Test(arguments: [
    ("now", "2026-11-26T23:30:00.000000Z"), ("today", "2026-11-26T23:00:00.000000Z"),
    ("yesterday", "2026-11-25T23:00:00.000000Z"),
    ("yesterday 09:00", "2026-11-26T08:00:00.000000Z"),
    ("15:00", "2026-11-27T14:00:00.000000Z"), ("9:05:06", "2026-11-27T08:05:06.000000Z"),
    ("24h", "2026-11-25T23:30:00.000000Z"), ("7d", "2026-11-19T23:30:00.000000Z"),
    ("2026-07-01", "2026-06-30T22:00:00.000000Z"),
    ("2026-07-01 15:00", "2026-07-01T13:00:00.000000Z"),
    ("2026-07-01T15:00:01", "2026-07-01T13:00:01.000000Z"),
    ("2026-07-01T15:00:00Z", "2026-07-01T15:00:00.000000Z"),
    ("2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00.000000Z"),
    ("2026-10-25 02:30:00Z", "2026-10-25T02:30:00.000000Z"),
    ("1782000000", "2026-06-21T00:00:00.000000Z"),
  ])
  func meansAMomentInBerlin(_ text: String, _ expected: String) throws {
    #expect(try moment(text, Berlin()) == expected)
  }

  @Test func meansUTCWhereThatIsTheZone() throws {
    #expect(try moment("today", UTCZone()) == "2026-11-26T00:00:00.000000Z")
    #expect(try moment("2026-07-01 15:00", UTCZone()) == "2026-07-01T15:00:00.000000Z")
  }

  @Test func goesBackAsFarAsItIsAsked() throws {
    for text in ["999999999d", "999999999h"] {
      let time = try #require(GivenTime(text))
      let moment = try time.moment(at: Self.now, in: Berlin())
      #expect(moment < Timestamp(microseconds: 0))
    }
  }

  @Test func refusesWhatClocksSkipOrRepeat() throws {
    let skipped = try #require(GivenTime("2026-03-29 02:30"))
    #expect(throws: GivenTime.Problem.skipped) {
      try skipped.moment(at: Self.now, in: Berlin())
    }
    let repeated = try #require(GivenTime("2026-10-25 02:30"))
    #expect(throws: GivenTime.Problem.repeated) {
      try repeated.moment(at: Self.now, in: Berlin())
    }
    #expect(try moment("2026-10-25 03:00", Berlin()) == "2026-10-25T02:00:00.000000Z")
    #expect(try moment("2026-03-29 03:00", Berlin()) == "2026-03-29T01:00:00.000000Z")
  }

  /// Clocks in Berlin show half past midnight.
  @Test(arguments: [
    ("15:00", "2026-11-27T14:00:00.000000Z"), ("0:00", "2026-11-27T23:00:00.000000Z"),
    ("0:30", "2026-11-27T23:30:00.000000Z"), ("00:30:01", "2026-11-26T23:30:01.000000Z"),
  ])
  func findsWhenATimeOfDayComesNext(_ text: String, _ expected: String) throws {
    let time = try #require(TimeOfDay(text))
    #expect(time.next(after: Self.now, in: Berlin()).rfc3339 == expected)
  }

  @Test func aTimeThatIsSkippedComesADayLater() throws {
    let evening = try #require(Timestamp(rfc3339: "2026-03-28T20:00:00Z"))
    let time = try #require(TimeOfDay("02:30"))
    #expect(time.next(after: evening, in: Berlin()).rfc3339 == "2026-03-30T00:30:00.000000Z")
  }

  @Test func showsWhatClocksShow() throws {
    let summer = try #require(Timestamp(rfc3339: "2026-07-01T22:30:00Z"))
    let clock = ClockText(Berlin())
    #expect(clock.dateAndTime(summer) == "2026-07-02 00:30:00")
    #expect(clock.time(Self.now) == "00:30:00" && clock.date(Self.now) == "2026-11-27")
    #expect(clock.dayAndTime(summer) == "07-02 00:30")
    #expect(clock.head("SEEN") == "SEEN (Berlin)")
    #expect(clock.moment(summer) == "2026-07-02 00:30:00 (Berlin)")
    #expect(ClockText(UTCZone()).dateAndTime(summer) == "2026-07-01 22:30:00")
    #expect(ClockText(Berlin()).time(Timestamp(microseconds: .max)) != "")
  }

  @Test func aDayWithoutMidnightBeginsWhenClocksAreSet() throws {
    #expect(try moment("2026-09-06", Santiago()) == "2026-09-06T04:00:00.000000Z")
  }

  @Test(arguments: [
    "", " ", "tomorrow", "24:00", "12:60", "1:2", "yesterday 9", "2026-02-30", "now now", "24x",
    "h",
    "2026-07-01 15:00 Z", "2026-07-01 15:00:00.5", "-5h", "٣h", "12345678901h",
    "yesterday 09:00 10:00",
  ])
  func refusesOtherText(_ text: String) { #expect(GivenTime(text) == nil) }
}

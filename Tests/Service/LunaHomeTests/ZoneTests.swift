import Foundation
import LunaTesting
import Testing

@testable import LunaHome

/// Time zones against Python's, and the clock.
@Suite struct ZoneTests {
  private func zone(_ name: String) throws -> ZoneRules { try #require(SystemZones.read(name)) }

  private func resolve(_ zone: String, _ day: String, _ time: String) throws -> ZoneRules.Resolved {
    try self.zone(zone).resolve(
      try #require(CivilDate(day)), try #require(ClockTime(time)))
  }

  @Test func gapsAndFolds() throws {
    // Berlin: 02:30 does not exist on 2026-03-29, and exists twice on 2026-10-25.
    #expect(try resolve("Europe/Berlin", "2026-03-29", "02:30") == .skipped(1_774_746_000))
    #expect(try resolve("Europe/Berlin", "2026-10-25", "02:30") == .at(1_792_888_200))
    // Lord Howe moves by half an hour.
    #expect(try resolve("Australia/Lord_Howe", "2026-10-04", "02:15") == .skipped(1_791_041_400))
    // A day that Apia left out.
    #expect(try resolve("Pacific/Apia", "2011-12-30", "12:00") == .noSuchDay)
    #expect(try resolve("Pacific/Apia", "2011-12-31", "00:00") == .at(1_325_239_200))
  }

  /// On small systems there are no files, and a rule stands in the variable.
  @Test(arguments: [
    ("Asia/Kathmandu", 20_700, 20_700), (":Europe/Berlin", 3600, 7200),
    ("/usr/share/zoneinfo/Europe/Berlin", 3600, 7200), (":/usr/share/zoneinfo/UTC", 0, 0),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200), ("<+0545>-5:45", 20_700, 20_700),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", 39_600, 36_000), ("CET-1CEST", 3600, 7200),
  ])
  func variablesHaveAllForms(variable: String, winter: Int, summer: Int) throws {
    let zone = try #require(SystemZone.zone(of: variable))
    // 2026-01-15 and 2026-07-15, noon in UTC.
    #expect(zone.offset(at: 1_768_478_400) == winter)
    #expect(zone.offset(at: 1_784_116_800) == summer)
  }

  @Test(arguments: ["", ":", "Nowhere/City", "X", "../../etc/passwd", "/etc/passwd", "CET-1CEST,x"])
  func whatIsNoZoneIsNone(variable: String) {
    #expect(SystemZone.zone(of: variable) == nil)
  }

  @Test func rulesLeaveOutAndRepeatHours() throws {
    let zone = try #require(SystemZone.zone(of: "CET-1CEST,M3.5.0,M10.5.0/3"))
    let night = ClockTime(seconds: 9000)
    let spring = zone.resolve(CivilDate(year: 2026, month: 3, day: 29), night)
    #expect(spring == .skipped(1_774_746_000))
    let autumn = zone.resolve(CivilDate(year: 2026, month: 10, day: 25), night)
    #expect(autumn == .at(1_792_888_200))
  }

  @Test func malformedFilesAreRefused() throws {
    let bytes = [UInt8](
      try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin")))
    for count in stride(from: 0, to: bytes.count - 1, by: 7) {
      #expect(throws: ZoneRules.Mistake.self) {
        try ZoneRules(reading: Array(bytes.prefix(count)), name: "x")
      }
    }
    var dice = PlaceTests.Dice(state: 3)
    for _ in 0..<2000 {
      var damaged = bytes
      damaged[Int(dice.next() * Double(bytes.count))] = UInt8(dice.next() * 255)
      guard let zone = ZoneRules(name: "x", damaged) else { continue }
      for year in [1900, 2026, 2100] {
        _ = zone.resolve(CivilDate(year: year, month: 3, day: 29), ClockTime(seconds: 9000))
      }
    }
  }

  /// For every zone and each transition from 2020 to 2040: the offsets around it, and when local times
  /// around it come, as Python sees it.
  @Test(.timeLimit(.minutes(10))) func everyZoneAsInPython() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Files/zones.py")
    let text = try TestProgram.run(["/usr/bin/python3", script.path]).output
    var zones: [String: ZoneRules] = [:]
    var count = 0
    for line in text.split(separator: "\n") {
      // zone kind seconds answer: o moment offset, r local moment, s local gap, n local -
      let words = line.split(separator: " ")
      let name = String(words[0])
      let number = try #require(Int64(words[2]))
      let zone = try zones[name] ?? self.zone(name)
      zones[name] = zone
      count += 1
      if words[1] == "o" {
        #expect(zone.offset(at: number) == Int(words[3]), "\(line)")
        continue
      }
      let day = Int((Double(number) / 86_400).rounded(.down))
      let found = zone.resolve(
        CivilDate(days: day), ClockTime(seconds: Int(number) - day * 86_400))
      switch (words[1], found) {
      case ("r", .at(let moment)), ("s", .skipped(let moment)):
        #expect(moment == Int64(words[3]), "\(line)")
      case ("n", .noSuchDay): break
      default: Issue.record("\(line): \(found)")
      }
    }
    #expect(zones.count > 300 && count > 50_000)
  }

  static let rule = """
    { "box": { "zone": "Europe/Berlin" }, "rules": [ { "id": "r", "when": [ { "time": TIME } ], "then": [ { "ping": {} } ] } ] }
    """

  private func bench(_ time: String, _ start: Int64) -> EngineBench {
    EngineBench(Self.rule.replacing("TIME", with: time), start: start)
  }

  // 2026-03-28 12:00 in Berlin.
  private static let eve: Int64 = 1_774_695_600

  @Test func anHourThatIsLeftOut() {
    var bench = bench(#"{ "at": ["02:30"] }"#, Self.eve)
    bench.take(.clock)
    #expect(bench.wait(3600 * 14 - 2).fired == [])
    #expect(bench.wait(4).fired == ["r"])
    #expect(bench.wait(3600 * 20).fired == [])
  }

  @Test func clockSetBackRunsNothingTwice() {
    var bench = bench(#"{ "every": "15m" }"#, Self.eve)
    bench.take(.clock)
    #expect(bench.wait(3700).fired.count == 4)
    bench.wall -= 3_600_000_000
    #expect(bench.take(.clock).fired == [])
    #expect(bench.wait(3500).fired.count == 0)
    #expect(bench.wait(1800).fired.count == 2)
  }

  @Test func clockSetForward() {
    var bench = bench(#"{ "every": "15m" }"#, Self.eve)
    bench.take(.clock)
    bench.wait(60)
    bench.wall += 3_600_000_000
    // Of four that were passed over the last one is a minute late, the others are missed.
    let effects = bench.take(.clock)
    #expect(effects.fired == ["r"])
    #expect(effects.count { if case .missed = $0 { true } else { false } } == 3)
  }

  /// The same time of the same day comes again, before and after it has run.
  @Test(arguments: [1800, 5400]) func clockSetBackRunsNoTimeOfDayTwice(after seconds: Double) {
    var bench = bench(#"{ "at": ["13:00"] }"#, Self.eve)
    bench.take(.clock)
    var fired = bench.wait(seconds).fired
    for _ in 0..<3 {
      bench.wall -= 3_600_000_000
      fired += bench.take(.clock).fired
      fired += bench.wait(3600).fired
    }
    fired += bench.wait(7200).fired
    #expect(fired == ["r"])
    // On the next day, which is an hour shorter, it runs again.
    #expect(bench.wait(23 * 3600).fired == ["r"])
  }

  /// What was passed over is late by up to ten minutes, else it is missed; what comes after it runs as ever.
  @Test func clockSetForwardOverTimesOfDay() {
    var bench = bench(#"{ "at": ["12:30", "12:55", "13:30"] }"#, Self.eve)
    bench.take(.clock)
    bench.wall += 3_600_000_000
    let effects = bench.take(.clock)
    #expect(effects.causes == ["time 2026-03-28 46500"])
    for case .firing(let firing) in effects { #expect(firing.cause.late) }
    #expect(effects.count { if case .missed = $0 { true } else { false } } == 1)
    #expect(bench.wait(1799).fired == [])
    #expect(bench.wait(2).fired == ["r"])
    // Set right, what has run does not run again; what was missed has never run.
    bench.wall -= 5400 * 1_000_000
    #expect(bench.take(.clock).fired == [])
    #expect(bench.wait(2 * 3600).causes == ["time 2026-03-28 45000"])
  }

  /// Where one day ends the next one begins: that is one moment, not two.
  @Test func aDayAroundTheClockRunsNothingTwice() {
    let trigger = #"{ "time": { "every": "6h", "from": "06:00", "to": "06:00" } }"#
    var bench = EngineBench(#"{"rules":[{"id":"r","when":[\#(trigger)],"then":[{"ping":{}}]}]}"#)
    bench.take(.clock)
    #expect(bench.wait(86_400).fired.count == 4)
  }

  @Test func aLongSleepIsTold() {
    var bench = bench(#"{ "every": "1s" }"#, Self.eve)
    bench.take(.clock)
    bench.wall += 30 * 86_400_000_000
    bench.boot += 30 * 86_400_000_000
    let effects = bench.take(.clock)
    #expect(effects.count { if case .missed = $0 { true } else { false } } == 10)
    // Those of the last ten minutes are late, and as many as may run in an hour do.
    #expect(effects.fired.count == 60)
  }

  @Test func sleepOverAnOccurrence() {
    for (late, fires) in [(540, true), (660, false)] as [(Int64, Bool)] {
      var bench = bench(#"{ "at": ["13:00"] }"#, Self.eve)
      bench.take(.clock)
      bench.wall += (3600 + late) * 1_000_000
      bench.boot += (3600 + late) * 1_000_000
      #expect(bench.take(.clock).fired.isEmpty != fires)
    }
  }

  @Test func windowsBelongToTheDayTheyBeginOn() throws {
    let window = TimeWindow(
      from: try #require(ClockTime("22:00")), to: ClockTime("06:00"), days: DaySet(["fri"]),
      zone: .utc)
    // 2026-01-02 is a Friday.
    let friday = Int64(try #require(CivilDate("2026-01-02")).days) * 86_400
    #expect(!window.contains(friday + 5 * 3600))
    #expect(window.contains(friday + 22 * 3600) && window.contains(friday + 29 * 3600))
    #expect(!window.contains(friday + 30 * 3600) && !window.contains(friday + 46 * 3600))
  }

  @Test func days() throws {
    for (text, weekday) in [("1970-01-01", 3), ("2000-02-29", 1), ("2026-11-22", 6)] {
      let date = try #require(CivilDate(text))
      #expect(date.weekday == weekday && date.description == text)
    }
    #expect(CivilDate("2026-02-29") == nil && CivilDate("2026-13-01") == nil)
    for days in stride(from: -800_000, to: 800_000, by: 997) {
      let parts = CivilDate(days: days).parts
      #expect(CivilDate(year: parts.year, month: parts.month, day: parts.day).days == days)
    }
  }
}

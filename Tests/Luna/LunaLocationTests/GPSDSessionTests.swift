import Bluetooth
import LunaCore
import Testing

@testable import LunaLocation

@Suite struct GPSDSessionTests {
  /// 2026-11-21T10:00:10Z
  private let now = Timestamp(microseconds: 1_795_255_210_000_000)

  private func welcomed() -> GPSDSession {
    var session = GPSDSession()
    _ = session.receive(
      Array(#"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#.utf8), at: now
    )
    return session
  }

  private func tell(_ line: String) -> LocationUpdate? {
    var session = welcomed()
    guard case .tell(let update)? = session.receive(Array(line.utf8), at: now) else { return nil }
    return update
  }

  private func tpv(_ members: String, time: String = "2026-11-21T10:00:09.500Z") -> String {
    #"{"class":"TPV","device":"/dev/ttyUSB0","time":"\#(time)",\#(members)}"#
  }

  @Test func watchesOnceGpsdHasIntroducedItself() {
    var session = GPSDSession()
    let step = session.receive(
      Array(#"{"class":"VERSION","proto_major":3,"proto_minor":99}"#.utf8), at: now)
    #expect(step == .send("?WATCH={\"enable\":true,\"json\":true};\n"))
  }

  @Test(arguments: [
    #"{"class":"VERSION","proto_major":2,"proto_minor":1}"#, #"{"class":"VERSION"}"#,
    #"{"class":"VERSION","proto_major":"3"}"#, "SSH-2.0-OpenSSH_9.2", "{}",
    #"{"class":"TPV","mode":3}"#,
  ])
  func leavesStrangersAlone(_ greeting: String) {
    var session = GPSDSession()
    guard case .close? = session.receive(Array(greeting.utf8), at: now) else {
      Issue.record("it goes on")
      return
    }
  }

  @Test func readsAPosition() {
    let update = tell(
      tpv(
        #""mode":3,"lat":52.5,"lon":13.25,"altHAE":80.5,"alt":40,"eph":7.5,"epv":12,"speed":1.5,"track":90.5"#
      ))
    var fix = LocationFix(
      latitude: 52.5, longitude: 13.25, altitude: 80.5, horizontalAccuracy: 7.5,
      verticalAccuracy: 12, speed: 1.5, course: 90.5)
    fix.measuredAt = Timestamp(microseconds: 1_795_255_209_500_000)
    #expect(update == .fix(fix))
  }

  @Test func takesTheAltitudeOfATrueFixOnly() {
    guard case .fix(let fix)? = tell(tpv(#""mode":2,"lat":1,"lon":2,"altHAE":80.5,"epv":1"#)) else {
      Issue.record("no fix")
      return
    }
    #expect(fix.altitude == nil)
    #expect(fix.verticalAccuracy == nil)
    // Above the sea or the ellipsoid? Nobody knows.
    guard case .fix(let other)? = tell(tpv(#""mode":3,"lat":1,"lon":2,"alt":80.5"#)) else {
      Issue.record("no fix")
      return
    }
    #expect(other.altitude == nil)
  }

  @Test func carriesTheAccuracy() {
    guard case .fix(let fix)? = tell(tpv(#""mode":3,"lat":1,"lon":2,"epx":3,"epy":4"#)) else {
      Issue.record("no fix")
      return
    }
    #expect(fix.horizontalAccuracy == 5)
  }

  @Test(arguments: [#""mode":0"#, #""mode":1,"lat":1,"lon":2"#, #""lat":1,"lon":2"#])
  func needsMode2(_ members: String) {
    #expect(tell(tpv(members)) == .refused(.noFix))
  }

  @Test(arguments: [
    ("2026-11-21T09:59:40.000Z", LocationRefusal?.none), ("2026-11-21T09:59:39.999Z", .stale),
    ("2026-11-21T10:00:20.000Z", nil), ("2026-11-21T10:00:20.001Z", .impossibleDate),
    // A week counter of 10 bits that has rolled over, and nothing at all.
    ("2007-04-07T10:00:09.000Z", .impossibleDate), ("1970-01-01T00:00:00.000Z", .impossibleDate),
    ("2126-11-21T10:00:09.000Z", .impossibleDate), ("never", .impossibleDate),
  ])
  func judgesTheDate(_ time: String, _ refusal: LocationRefusal?) {
    let update = tell(tpv(#""mode":3,"lat":1,"lon":2"#, time: time))
    if let refusal {
      #expect(update == .refused(refusal))
    } else {
      guard case .fix? = update else {
        Issue.record("\(String(describing: update))")
        return
      }
    }
  }

  @Test(arguments: [
    #""mode":3,"lat":91,"lon":2"#, #""mode":3,"lat":1,"lon":-181"#, #""mode":3,"lon":2"#,
    #""mode":3,"lat":"1","lon":2"#,
  ])
  func judgesThePosition(_ members: String) {
    #expect(tell(tpv(members)) == .refused(.impossiblePosition))
  }

  @Test func aClockThatIsWrongDoesNotMakeAFixStale() {
    var session = welcomed()
    let line = tpv(#""mode":3,"lat":1,"lon":2"#)
    guard
      case .tell(.fix)? = session.receive(Array(line.utf8), at: Timestamp(microseconds: 5_000_000))
    else {
      Issue.record("refused")
      return
    }
  }

  @Test func knowsASimulator() {
    guard case .fix(let fix)? = tell(tpv(#""mode":3,"status":8,"lat":1,"lon":2"#)) else {
      Issue.record("no fix")
      return
    }
    #expect(fix.isSimulated)
  }

  @Test func passesOverWhatItDoesNotNeed() {
    var session = welcomed()
    for line in [
      #"{"class":"DEVICES","devices":[]}"#, #"{"class":"WATCH","enable":true}"#,
      #"{"class":"SKY","satellites":[]}"#, "{\"class\":", "[]", "7",
    ] {
      #expect(session.receive(Array(line.utf8), at: now) == nil)
    }
    #expect(
      session.receive(Array(#"{"class":"ERROR","message":"no"}"#.utf8), at: now)
        == .tell(.unavailable("gpsd says: no")))
  }

  @Test func cutsLines() {
    var splitter = LineSplitter(limit: 4)
    #expect(splitter.split(Array("ab\r\nc".utf8)) == [Array("ab".utf8)])
    #expect(splitter.split(Array("d\n\n".utf8)) == [Array("cd".utf8)])
    // Too long: left out whole, and the next one is good.
    #expect(splitter.split(Array("abcdef\nok\n".utf8)) == [Array("ok".utf8)])
  }

  @Test func anErrorForgesNoLines() {
    let line =
      #"{"class":"ERROR","message":"x\nNov 22 luna[1]: \u001b[2Jthe receipt is genuine\u202e"}"#
    #expect(
      tell(line)
        == .unavailable(
          #"gpsd says: x\x0aNov 22 luna[1]: \x1b[2Jthe receipt is genuine\u202e"#))
  }
}

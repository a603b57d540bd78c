import Diagnosis
import Testing

@testable import LunaLocation

@Suite struct LocationChoiceTests {
  @Test(arguments: [
    ("static:52.5,13.25", LocationChoice.place(latitude: 52.5, longitude: 13.25, altitude: nil)),
    ("static:-90,180,-12.5", .place(latitude: -90, longitude: 180, altitude: -12.5)),
    ("gpsd", .gpsd(host: "localhost", port: 2947)), ("gpsd:box", .gpsd(host: "box", port: 2947)),
    ("gpsd:10.0.0.1:3000", .gpsd(host: "10.0.0.1", port: 3000)),
    ("gpsd:[::1]:3000", .gpsd(host: "::1", port: 3000)),
    ("gpsd:fe80::1", .gpsd(host: "fe80::1", port: 2947)), ("geoclue", .geoclue),
  ])
  func reads(_ text: String, _ choice: LocationChoice) throws {
    #expect(try LocationChoice(text) == choice)
  }

  @Test func showsADecimalPointToWhoWritesAComma() {
    #expect {
      try LocationChoice("static:52,5186,13,3763")
    } throws: { error in
      (error as? LocationChoiceError)?.reason.contains("52.5186,13.3763") == true
    }
  }

  @Test(arguments: [
    "", "static", "static:", "static:52", "static:52,13,1,2", "static:91,0", "static:0,181",
    "static:nan,0", "static:a,b", "static:0,0,1e9", "gpsd:", "gpsd:box:0", "gpsd:box:99999",
    "gpsd: box", "geoclue:x", "gps",
  ])
  func refuses(_ text: String) {
    #expect(throws: LocationChoiceError.self) { try LocationChoice(text) }
  }
}

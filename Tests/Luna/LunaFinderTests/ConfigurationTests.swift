import LunaProtocol
import Testing

@testable import LunaFinder

@Suite struct ConfigurationTests {
  @Test func hasTheUsualDefaults() throws {
    let configuration = LunaConfiguration()
    #expect(configuration.timeBetweenPostsToServerInSeconds == 10)
    #expect(configuration.maximumCacheSize == 10)
    #expect(configuration.minimumDistanceBetweenTwoLocationsInMeters == 10)
    #expect(configuration.minimumTimeBetweenTwoEventsInSeconds == 60)
    #expect(configuration.dataFilename == "luna-finder-memory.data")
    #expect(configuration.devicesFilename == "luna-finder-memory-devices.data")
    #expect(configuration.finderDesiredAccuracy == nil)
    #expect(configuration.regions == IBeaconFrame.defaultRegions)
    #expect(configuration.companies == [0xFFFF])
    #expect(!configuration.allowInsecureDebugFields)
    try configuration.check()
  }

  @Test(arguments: [
    { @Sendable (c: inout LunaConfiguration) in c.timeBetweenPostsToServerInSeconds = -1 },
    { @Sendable (c: inout LunaConfiguration) in c.minimumTimeBetweenTwoEventsInSeconds = .nan },
    { @Sendable (c: inout LunaConfiguration) in c.maximumCacheSize = 0 },
    { @Sendable (c: inout LunaConfiguration) in c.maximumCacheSize = 1001 },
    { @Sendable (c: inout LunaConfiguration) in c.queueLimit = 5 },
    { @Sendable (c: inout LunaConfiguration) in c.dataFilename = "../elsewhere" },
    { @Sendable (c: inout LunaConfiguration) in c.dataFilename = "elsewhere/\u{301}a" },
    { @Sendable (c: inout LunaConfiguration) in c.devicesFilename = "" },
    { @Sendable (c: inout LunaConfiguration) in c.devicesFilename = ".." },
    { @Sendable (c: inout LunaConfiguration) in c.devicesFilename = c.dataFilename },
    { @Sendable (c: inout LunaConfiguration) in c.sendsDebugFields = true },
  ])
  func refusesWhatMakesNoSense(_ change: @Sendable (inout LunaConfiguration) -> Void) {
    var configuration = LunaConfiguration()
    change(&configuration)
    #expect(throws: FinderError.self) { try configuration.check() }
  }
}

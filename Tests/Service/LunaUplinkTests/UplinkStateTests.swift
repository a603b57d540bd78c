import Bluetooth
import Foundation
import Gzip
import LunaStore
import LunaTesting
import LunaUplink
import Testing
import UplinkProtocol

/// What checks keep, and what keeps them from running.
struct UplinkStateTests {
  private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

  private let folder = TestFolder()
  private var state: StateDirectory { StateDirectory(path: folder.path) }

  private func kind(_ body: () async throws -> Void) async -> UplinkError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? UplinkError)?.kind
    }
  }

  @Test func consentIsKeptUntilItIsWithdrawn() async throws {
    let consent = try UplinkConsent(in: folder.path + "/new")
    #expect(try await consent.current() == nil)
    let given = try await consent.give(.user, at: Self.now)
    #expect(given.time.hasPrefix("2027-01-15T08:00:00"))
    #expect(try await consent.current() == given)
    try await consent.withdraw()
    try await consent.withdraw()
    #expect(try await consent.current() == nil)
  }

  @Test func noConsentIsGivenToAPipe() async throws {
    let consent = try UplinkConsent(in: folder.path)
    try #require(mkfifo(folder.path + "/uplink-consent.json", 0o600) == 0)
    #expect(await kind { _ = try await consent.current() } == .unreadable)
    #expect(await kind { _ = try await consent.give(.flag, at: Self.now) } == .unreadable)
  }

  @Test func aRunKeepsToItsData() async throws {
    var budget = UplinkBudget()
    budget.run = 100
    budget.meteredRun = 10
    budget.month = 150
    budget.meteredMonth = 10
    let ledger = UplinkLedger(budget, state, isMetered: false)
    #expect(ledger.budget == 100)
    #expect(await kind { try ledger.check(101) } == .overBudget)
    let reservation = try await ledger.reserve(100, at: Self.now)
    #expect(await kind { _ = try await ledger.reserve(100, at: Self.now) } == .overMonth)
    // What was not used can be used.
    try await ledger.settle(reservation, at: 1)
    _ = try await ledger.reserve(100, at: Self.now)
    let metered = UplinkLedger(budget, state, isMetered: true)
    #expect(await kind { try metered.check(11) } == .overMeteredBudget)
    _ = try await metered.reserve(10, at: Self.now)
    #expect(await kind { _ = try await metered.reserve(1, at: Self.now) } == .overMeteredMonth)
  }

  @Test func oneCheckRunsAtATime() async throws {
    var lock: WaitingLock? = try await UplinkLock.take(in: state)
    #expect(await kind { _ = try await UplinkLock.take(in: state) } == .busy)
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try await UplinkLock.take(in: state)
  }

  @Test func anInspectionGoesOnWhereItWasBrokenOff() async throws {
    let box = try #require(SimulatedBox(.name, seed: 1))
    let progress = try InspectionProgress(in: folder.path, of: box.bytes)
    #expect(await kind { _ = try await progress.read() } == .noInspection)
    try await progress.write([true, false, true])
    #expect(try await progress.read() == [true, false, true])
    await progress.remove()
    #expect(await kind { _ = try await progress.read() } == .noInspection)
  }

  @Test func tokensAreReadFromFiles() async throws {
    let path = "\(folder.path)/token"
    try Data("secret\n\nother\r\n".utf8).write(to: URL(filePath: path))
    #expect(try await UplinkToken.read(path) == "secret")
    _ = try await UplinkTokens(path)
    try Data(" \n".utf8).write(to: URL(filePath: path))
    #expect(await kind { _ = try await UplinkToken.read(path) } == .unreadable)
    #expect(await kind { _ = try await UplinkTokens(path) } == .unreadable)
  }

  private func record(_ document: String, samples: [UInt8] = []) -> UplinkRecord {
    UplinkRecord(id: "1", time: Self.now, document: document, samples: samples)
  }

  @Test func theLastCheckSaysWhetherThereIsADifference() {
    let records = [
      #"{"profile":"a","verdict":"throttled","simulated":true}"#,
      #"{"profile":"a","verdict":"fair"}"#, #"{"profile":"a","verdict":"blocked"}"#,
      #"{"profile":"luna-upload","verdict":"throttled"}"#, "no result",
    ].map { record($0) }
    #expect(!UplinkDifference.isFound(in: records, of: "a"))
    #expect(UplinkDifference.isFound(in: records, of: "b"))
    #expect(!UplinkDifference.isFound(in: [], of: "b"))
  }

  /// As `--direction both` keeps them, and as a later check of uploads alone does.
  @Test func aCheckOfDownloadsSaysNothingOfUploads() {
    let both = [
      #"{"profile":"luna-upload","direction":"down","verdict":"fair"}"#,
      #"{"profile":"luna-upload","direction":"up","verdict":"throttled"}"#,
    ].map { record($0) }
    #expect(UplinkDifference.isFound(in: both, of: "luna-upload"))
    let later = record(#"{"profile":"luna-upload","direction":"up","verdict":"fair"}"#)
    #expect(!UplinkDifference.isFound(in: [later] + both, of: "luna-upload"))
  }

  @Test func resultsAreWrittenForOtherPrograms() async throws {
    let samples = try #require(Gzip.deflate(Array("[[1.5,2],[1,2]]".utf8)))
    let full = record(#"{"verdict":"fair"}"#, samples: samples)
    #expect(try UplinkExport.lines(full, .json) == [#"{"verdict":"fair"}"#])
    #expect(try UplinkExport.lines(full, .wehe) == ["[[1.5,2],[1,2]]"])
    #expect(
      try UplinkExport.lines(full, .csv) == [
        "kind,seconds,mbps", "original,1.0,1.5", "original,2.0,2.0",
      ])
    #expect(try UplinkExport.lines(full, .svg).first?.hasPrefix("<svg") == true)
    let empty = record("{}")
    #expect(await kind { _ = try UplinkExport.lines(empty, .csv) } == .noSamples)
  }
}

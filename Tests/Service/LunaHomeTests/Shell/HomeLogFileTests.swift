import Bluetooth
import Foundation
import LunaCore
import LunaTesting
import Testing

@testable import LunaHome

/// What a home writes into its log.
struct HomeLogFileTests {
  private let folder = TestFolder()

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test func writesALineAMessageAndBeginsAnew() async throws {
    let log = HomeLogFile(
      "\(folder.path)/home.log", limit: 100, now: { Timestamp(microseconds: 0) })
    log.write(.INFO, "one\ntwo")
    await log.flush()
    #expect(try text("home.log").hasPrefix("1970-01-01T00:00:00"))
    #expect(try text("home.log").split(separator: "\n").count == 1)
    log.write(.ERROR, String(repeating: "x", count: 90))
    await log.flush()
    let last = try text("home.log")
    #expect(last.hasSuffix("x\n") && !last.contains("one"))
    #expect(try text("home.log.1").contains("one"))
  }

  @Test func knowsCaptures() {
    #expect(ReplayFile.isCapture(Array("btsnoop\0 and more".utf8)))
    #expect(ReplayFile.isCapture([0x0A, 0x0D, 0x0D, 0x0A, 0]))
    #expect(!ReplayFile.isCapture(Array("{}".utf8)) && !ReplayFile.isCapture([]))
  }
}

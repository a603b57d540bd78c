import Diagnosis
import Foundation
import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@testable import LunaTracker

@Suite("TrackerFlash")
final class TrackerFlashTests {
  private let state: String

  init() throws {
    state = NSTemporaryDirectory() + "luna-flash-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: state) }

  private var path: String { state + "/trackers/keys.flash" }

  private func image(_ period: UInt32, offset: Int64 = -5) -> FlashImage {
    var record = TrackerSamples.keyed()
    record.storedPeriod = period
    record.lastCounter = period &* 3
    record.isClockUncertain = period % 2 == 1
    record.failures = UInt8(period % 5)
    return FlashImage(record: record, clockOffset: offset)
  }

  @Test("What is stored is loaded, keyed and in factory state, and only its owner can read it")
  func roundTrip() throws {
    let flash = try TrackerFlash(name: "keys", state: state)
    for image in [
      image(0), image(.max, offset: .min), FlashImage(record: TrackerSamples.factory()),
    ] {
      if FileManager.default.fileExists(atPath: path) {
        try flash.store(image)
      } else {
        try flash.create(image)
      }
      #expect(try flash.load() == image)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try TrackerFlash.names(in: state) == ["keys"])
    let directory = try FileManager.default.attributesOfItem(atPath: state + "/trackers")
    #expect(directory[.posixPermissions] as? Int == 0o700)
  }

  @Test("The end of the process at any call, or an error of it, leaves the old or the new")
  func crashes() throws {
    let plain = try TrackerFlash(name: "keys", state: state)
    try plain.create(image(1))
    let counting = FailingFiles(failsAt: .max, .error(0))
    try TrackerFlash(name: "keys", state: state, files: counting).store(image(2))
    #expect(counting.calls >= 7)
    for failure in [FailingFiles.Failure.error(ENOSPC), .short(ENOSPC), .error(EIO)] {
      for call in 1...counting.calls {
        try plain.store(image(10))
        let files = FailingFiles(failsAt: call, failure)
        let flash = try TrackerFlash(name: "keys", state: state, files: files)
        var isRefused = false
        do throws(TrackerError) {
          try flash.store(image(11))
        } catch {
          isRefused = true
          #expect(error.kind == .system)
          #expect(error.errno == ENOSPC || error.errno == EIO)
          if error.errno == ENOSPC { #expect(error.remedy == "free some space") }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: plain.directory)
        #expect(!left.contains { $0.hasSuffix(".new") }, "what could not be finished is gone")
        let found = try plain.load()
        #expect(found == image(10) || found == image(11))
        // A write that was reported as done is there.
        if !isRefused { #expect(found == image(11)) }
      }
    }
    // Nothing that was left behind is in the way.
    try plain.store(image(12))
    #expect(try plain.load() == image(12))
  }

  @Test("Every altered byte and every shorter or longer file is noticed, and left alone")
  func damage() throws {
    let flash = try TrackerFlash(name: "keys", state: state)
    try flash.create(image(7))
    let good = try Data(contentsOf: URL(fileURLWithPath: path))
    func expectUnreadable(_ data: Data, _ comment: Comment) throws {
      try data.write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: TrackerError.self, comment) { try flash.load() }
      #expect(error?.kind == .unreadable, comment)
      #expect(error?.remedy != nil)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data)
    }
    for index in good.indices {
      var bad = good
      bad[index] ^= 0x10
      try expectUnreadable(bad, "byte \(index)")
    }
    for count in [0, 1, 9, 10, 135] { try expectUnreadable(good.prefix(count), "\(count) bytes") }
    try expectUnreadable(good + [0], "137 bytes")
    var newer = good
    newer[9] = 2
    try newer.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: TrackerError.self) { try flash.load() }
    #expect(error?.reason.contains("version 2") == true)
  }

  @Test("A pipe in its place is no flash, and nobody waits for it")
  func pipes() throws {
    let flash = try TrackerFlash(name: "keys", state: state)
    try flash.create(image(1))
    try FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: TrackerError.self) { try flash.load() }
  }

  @Test("Two processes cannot run one tracker, and a name is taken once")
  func exclusive() throws {
    let flash = try TrackerFlash(name: "keys", state: state)
    #expect(throws: TrackerError.self) { try flash.lock() }
    try flash.create(image(1))
    let again = #expect(throws: TrackerError.self) { try flash.create(self.image(2)) }
    #expect(again?.kind == .exists)
    let lock = try flash.lock()
    let busy = #expect(throws: TrackerError.self) { try flash.lock() }
    #expect(busy?.kind == .busy)
    lock.release()
    try flash.lock().release()
    #expect(try flash.load() == image(1))
  }

  @Test(
    "Names that would leave the directory, hide, or look like options are refused",
    arguments: ["", ".", "..", "a/b", "/x", ".x", "-x", "a\nb", String(repeating: "x", count: 65)])
  func names(name: String) {
    let error = #expect(throws: TrackerError.self) {
      try TrackerFlash(name: name, state: self.state)
    }
    #expect(error?.kind == .invalid)
  }
}

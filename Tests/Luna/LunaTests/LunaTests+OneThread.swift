import Dispatch
import Foundation
import LunaCrypto
import LunaTesting
import Testing

@testable import Luna

/// Luna in a program whose tasks share one thread.
extension LunaTests {
  /// Opening the file, waiting for its passphrase and deriving its key.
  @Test func tasksGoOnWhileSealedDevicesAreOpened() async throws {
    let directory = NSTemporaryDirectory() + "luna-one-thread-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      let passphrase = "a passphrase"
      let state = StateDirectory(path: directory)
      try await SQLiteDeviceStore(in: state).seal(
        under: SecretBytes(copying: Array(passphrase.utf8).span),
        work: Scrypt(cost: 16, blockSize: 8, parallelization: 1))
      let semaphore = DispatchSemaphore(value: 0)
      var settings = LunaSettings()
      settings.state = state
      settings.passphrase = {
        semaphore.wait()
        return SecretBytes(copying: Array(passphrase.utf8).span)
      }
      let owner = Luna(settings).owner()
      try await OneThread.check(
        {
          let devices = try await owner.allDevices()
          #expect(devices.isEmpty)
        }, until: { semaphore.signal() })
    }
  }
}

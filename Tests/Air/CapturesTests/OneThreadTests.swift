import Bluetooth
import Captures
import Glibc
import LunaTesting
import Testing

/// Recordings in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileNobodyReadsARecording() async {
    let folder = TestFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.path + "/air.btsnoop" as String] in
      try #require(mkfifo(path, 0o600) == 0)
      try await OneThread.check(
        {
          let writer = try await CaptureWriter(path: path)
          try await writer.write([
            AdvertisingReport(
              time: Timestamp(microseconds: 1_767_323_045_000_000), adapter: 0,
              address: BluetoothAddress(value: 1), addressType: .random,
              payload: AdvertisingPayload([2, 1, 6]), rssi: -60)
          ])
          try await writer.finish()
        },
        // Opening it waits for a reader; what is written has room.
        until: { _ = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) })
    }
    withExtendedLifetime(folder) {}
  }
}

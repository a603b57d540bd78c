import Glibc
import Luna
import LunaTesting
import Testing

@Suite("How a machine is")
struct MachineHealthTests {
  private let folder = TestFolder()

  @Test("This one has memory, time and room")
  func here() {
    let health = MachineHealth.ofThisMachine(files: "/tmp")
    #expect((health.memoryMiB ?? 0) > 1)
    #expect(health.processorTime != nil && (health.diskFreeMiB ?? 0) > 1)
  }

  @Test("One of which nothing can be read")
  func nothing() {
    let health = MachineHealth.ofThisMachine(files: "/none", system: ("/none", "/none"))
    #expect(health.memoryMiB == nil && health.diskFreeMiB == nil)
    #expect(health.temperature == nil && health.throttled == nil)
  }

  @Test(
    "Temperature and throttling as the kernel tells them",
    arguments: [("0x0", false), ("50005", true), ("0x50000", false)])
  func devices(flags: String, isThrottled: Bool) {
    let path = folder.path
    func write(_ name: String, _ text: String) {
      var made = path
      for part in name.split(separator: "/").dropLast() {
        made += "/\(part)"
        mkdir(made, 0o700)
      }
      let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT, 0o600)
      _ = Glibc.write(descriptor, text, text.utf8.count)
      close(descriptor)
    }
    write("class/thermal/thermal_zone0/temp", "41234\n")
    write("class/thermal/thermal_zone1/temp", "61500\n")
    write("class/thermal/thermal_zone2/temp", "-274000\n")
    write("devices/platform/soc/soc:firmware/get_throttled", flags + "\n")
    let health = MachineHealth.ofThisMachine(files: nil, system: (path, "/proc"))
    #expect(health.temperature == 61.5)
    #expect(health.throttled == isThrottled)
  }
}

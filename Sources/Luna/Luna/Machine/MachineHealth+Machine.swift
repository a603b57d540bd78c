import FileOutput
import Glibc
public import LunaFinder

extension MachineHealth {
  /// That of this machine, as it is now. Reads files.
  ///
  /// - Parameters:
  ///   - directory: where the program's files are.
  ///   - system: where the kernel tells of its devices, and of processes.
  public static func ofThisMachine(
    files directory: String?, system: (devices: String, processes: String) = ("/sys", "/proc")
  ) -> MachineHealth {
    var health = MachineHealth()
    var usage = rusage()
    if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
      health.processorTime = [usage.ru_utime, usage.ru_stime].reduce(.zero) {
        $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
      }
    }
    // Pages in memory are the second number (proc_pid_statm, 5).
    let pages = KernelFile.line(system.processes + "/self/statm")?.split(separator: " ")
      .dropFirst().first.flatMap { Double($0) }
    if let pages {
      health.memoryMiB = pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
    var disk = statvfs()
    if let directory, statvfs(directory, &disk) == 0 {
      health.diskFreeMiB = Int64(clamping: disk.freeBytes >> 20)
    }
    let zones = system.devices + "/class/thermal/thermal_zone"
    health.temperature = (0..<16).compactMap { zone in
      KernelFile.line("\(zones)\(zone)/temp").flatMap { Double($0) }
    }.filter { (-50_000...200_000).contains($0) }.max().map { $0 / 1000 }
    health.throttled = throttled(in: system.devices)
    return health
  }

  /// What the firmware of a Raspberry Pi says: the lowest four bits are of the present.
  private static func throttled(in devices: String) -> Bool? {
    let file = "\(devices)/devices/platform/soc/soc:firmware/get_throttled"
    guard let text = KernelFile.line(file) else { return nil }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    return UInt32(digits, radix: 16).map { $0 & 0xF != 0 }
  }
}

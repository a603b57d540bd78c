import FileOutput
import Glibc

/// How the machine and the program on it are. What is not known is nil.
public struct MachineHealth: Hashable, Sendable {
  /// Time that processors have spent on the program.
  public var processorTime: Duration?
  /// The program's memory, MiB.
  public var memoryMiB: Double?
  /// The room that there is for its files, MiB.
  public var diskFreeMiB: Int64?
  /// The temperature of the hottest part, °C.
  public var temperature: Double?
  /// Whether the machine runs slower than it could, since it is hot or its power is weak.
  public var throttled: Bool?

  /// Nothing is known.
  public init() {}

  /// That of this machine, as it is now.
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
    if let pages = line(system.processes + "/self/statm")?.split(separator: " ").dropFirst().first
      .flatMap({ Double($0) })
    {
      health.memoryMiB = pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
    var disk = statvfs()
    if let directory, statvfs(directory, &disk) == 0 {
      health.diskFreeMiB = Int64(clamping: disk.freeBytes >> 20)
    }
    health.temperature = (0..<16).compactMap { zone in
      line("\(system.devices)/class/thermal/thermal_zone\(zone)/temp").flatMap { Double($0) }
    }.filter { (-50_000...200_000).contains($0) }.max().map { $0 / 1000 }
    health.throttled = throttled(in: system.devices)
    return health
  }

  /// What the firmware of a Raspberry Pi says: the lowest four bits are of the present.
  private static func throttled(in devices: String) -> Bool? {
    let file = "\(devices)/devices/platform/soc/soc:firmware/get_throttled"
    guard let text = line(file) else { return nil }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    return UInt32(digits, radix: 16).map { $0 & 0xF != 0 }
  }

  /// A line of the kernel; nil where there is none.
  private static func line(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}

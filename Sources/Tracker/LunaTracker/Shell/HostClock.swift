import Glibc

/// The clocks of the host, ms.
enum HostClock {
  /// Time since the host was started, sleep included.
  static var uptime: Int64 { read(CLOCK_BOOTTIME) }
  /// Unix time.
  static var real: Int64 { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

import CLinux

/// The kernel's opinion of its clock.
enum KernelClock {
  /// Whether somebody keeps it right (adjtimex); nil when it does not tell.
  static var isSynchronised: Bool? {
    let answer = luna_clock_is_synchronised()
    return answer < 0 ? nil : answer == 1
  }
}

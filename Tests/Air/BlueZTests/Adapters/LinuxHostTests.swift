import Glibc
import HCIHost
import Testing

@testable import BlueZ

/// The calls that switch and reset, where there is nothing to switch and reset.
@Suite struct LinuxHostTests {
  @Test func saysWhatCannotBeReset() {
    #expect(throws: SystemCallError("/nowhere", ENOENT)) { try LinuxHost().resetUSB("/nowhere") }
    #expect(throws: SystemCallError("/dev/null", ENOTTY)) { try LinuxHost().resetUSB("/dev/null") }
  }
}

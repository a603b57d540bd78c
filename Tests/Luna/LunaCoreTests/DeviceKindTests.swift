import LunaCore
import Testing

struct DeviceKindTests {
  /// Those whose files need not say when a clock was right, and that are followed without one.
  @Test func someHaveNoClock() {
    #expect(DeviceKind.allCases.filter { !$0.hasClock } == [.appleFindMyKey, .resolvableAddress])
  }
}

import Testing

@testable import LunaUplink

/// Over which link this machine reaches the network.
struct UplinkLinkTests {
  private static let head =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

  @Test func thePreferredRouteCounts() {
    let table =
      Self.head + "eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
      + "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
      + "wwan0\t00000000\t0101A8C0\t0003\t0\t0\t50\t00000000\t0\t0\t0\n"
    #expect(UplinkLink.interface(in: table) == "wwan0")
  }

  @Test func aMachineMayHaveIPv6Alone() {
    let zero = String(repeating: "0", count: 32)
    let end = "00000001 00000000 00000003"
    let net = "fd\(zero.dropLast(2)) 40 \(zero) 00 \(zero) 00000001 \(end)     eth0\n"
    let wwan = "\(zero) 00 \(zero) 00 fe80\(zero.dropLast(4)) 00000400 \(end)    wwan0\n"
    let wlan = "\(zero) 00 \(zero) 00 fe80\(zero.dropLast(4)) 00000800 \(end)    wlan0\n"
    let none = "\(zero) 00 \(zero) 00 \(zero) fffffffe \(end)       lo\n"
    #expect(UplinkLink.interface(inIPv6: net + wlan + wwan + none) == "wwan0")
    #expect(UplinkLink.interface(inIPv6: net + none) == nil)
    #expect(UplinkLink.interface(inIPv6: "") == nil)
  }

  /// A service that sees processes alone has no other part of /proc.
  @Test func theTablesAreOfTheProcess() {
    #expect(UplinkLink.tables.four.hasPrefix("/proc/self/"))
    #expect(UplinkLink.tables.six.hasPrefix("/proc/self/"))
  }

  @Test(arguments: ["", head, head + "eth0\n", head + "eth0\t00000000\tx\t0\t0\t0\ty\t00000000\n"])
  func thereNeedBeNone(table: String) {
    #expect(UplinkLink.interface(in: table) == nil)
  }

  @Test(arguments: [
    ("wwan0", "mobile"), ("ppp0", "mobile"), ("wlan0", "wifi"), ("wlp2s0", "wifi"),
    ("enp1s0", "ethernet"), ("eth0", "ethernet"), ("tun0", "other"),
  ])
  func hasAKind(interface: String, kind: String) {
    #expect(UplinkLink.kind(of: interface) == kind)
  }
}

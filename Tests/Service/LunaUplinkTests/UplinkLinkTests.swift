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

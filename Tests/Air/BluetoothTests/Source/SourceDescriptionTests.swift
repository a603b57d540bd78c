import Bluetooth
import Testing

@Suite struct SourceDescriptionTests {
  /// An adapter is called the same in every line, whatever the radio path is called.
  @Test(
    arguments: [
      ("observe:hci0", false, "hci0"), ("exclusive:hci12", false, "hci12"),
      ("h4:tcp:127.0.0.1:9000", false, "h4"), ("h4:/dev/ttyUSB0", false, "h4"),
      ("virtual:7", true, "virtual"), ("observe:hci0,hci1", false, "hci0,hci1"),
      ("mgmt:F0:F1:F2:F3:F4:F5,hci1", false, "F0:F1:F2:F3:F4:F5,hci1"), ("air.pcap", false, nil),
      ("a:b.pcap", false, nil),
    ] as [(String, Bool, String?)])
  func namesItsAdapter(name: String, isSimulated: Bool, adapter: String?) {
    let source = SourceDescription(name: name, simulated: isSimulated, explanation: "")
    #expect(source.adapter == adapter)
  }
}

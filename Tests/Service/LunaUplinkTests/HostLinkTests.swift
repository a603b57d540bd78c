import Diagnosis
import Testing
import UplinkProtocol

@testable import LunaUplink

@Suite struct HostLinkTests {
  @Test func whatAServerOfOursShouldNotSayIsNoMatterOfWehes() {
    let error = HostLink.error(.ready(1, token: "t"))
    #expect(error.kind == .malformed)
    #expect(error.remedy?.description.contains("version of Luna") == true)
  }
}

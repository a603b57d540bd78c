import Testing

@testable import LunaStore

/// Which start of the machine this is.
@Suite struct BootIDTests {
  @Test("The kernel and systemd say the same; who is told by neither knows that")
  func isTheSameBySomebodyElse() {
    let kernel = "0af49b37-c1a6-4c42-a1f8-6a3a7e954bb1"
    let service = "0af49b37c1a64c42a1f86a3a7e954bb1"
    #expect(BootID.text(kernel: kernel, service: nil) == service)
    #expect(BootID.text(kernel: nil, service: service) == service)
    #expect(BootID.text(kernel: kernel, service: "another") == service)
    #expect(BootID.text(kernel: "", service: service) == service)
    #expect(BootID.text(kernel: nil, service: "") == BootID.unknown)
    #expect(BootID.text(kernel: nil, service: nil) == BootID.unknown)
  }
}

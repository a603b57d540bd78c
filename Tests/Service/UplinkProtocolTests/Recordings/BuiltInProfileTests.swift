import Testing
import UplinkProtocol

struct BuiltInProfileTests {
  @Test func areThoseOfTheSpecification() {
    #expect(
      BuiltInProfile.allCases.map(\.rawValue) == [
        "luna-upload", "luna-command", "https-generic", "luna-recorded",
      ])
    for profile in BuiltInProfile.allCases {
      #expect(Set([profile.original, profile.control, profile.measure]).count == 3)
    }
  }
}

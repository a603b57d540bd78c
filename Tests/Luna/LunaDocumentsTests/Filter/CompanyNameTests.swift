import Testing

@testable import LunaDocuments

@Suite struct CompanyNameTests {
  @Test(arguments: [
    ("Apple, Inc.", "Apple"), ("Microsoft", "Microsoft"), ("Intel Corp.", "Intel"),
    ("Samsung Electronics Co. Ltd.", "Samsung Electronics"), ("Nordic Semiconductor ASA", nil),
    ("Tile, Inc.", "Tile"), ("Inc.", "Inc."),
    ("Garmin International, Inc.", "Garmin International"),
    ("Beier, Inc", "Beier"), ("Dialog Semiconductor B.V.", "Dialog Semiconductor"), ("", ""),
  ])
  func withoutLegalForm(name: String, short: String?) {
    #expect(CompanyName.withoutLegalForm(name) == short ?? name)
  }
}

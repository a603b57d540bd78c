import Testing

@testable import LunaCLI

@Suite struct FinderUnitTests {
  @Test func startsTheProgramThatInstalledIt() throws {
    let unit = FinderUnit.text(program: "/opt/luna/bin/luna")
    #expect(unit.contains("\nExecStart=/opt/luna/bin/luna finder --state /var/lib/luna "))
    #expect(FinderUnit.text(program: FinderUnit.usualProgram) == FinderUnit.text)
    #expect(FinderUnit.text.hasPrefix("[Unit]\n") && FinderUnit.text.hasSuffix(".target\n"))
    #expect(FinderUnit.ambient.hasPrefix("[Service]\nAmbientCapabilities="))
  }
}

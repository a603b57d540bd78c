import FileOutput
import Testing

@Suite struct OutputProgressTests {
  @Test func staysWhereItIsWhileNobodyReads() {
    let progress = OutputProgress()
    #expect(progress.place == nil)
    progress.begin()
    let place = progress.place
    #expect(place != nil)
    #expect(progress.place == place)
    progress.advance()
    #expect(progress.place != nil)
    #expect(progress.place != place)
    progress.end()
    #expect(progress.place == nil)
  }

  /// Somebody reads, or nobody ever will: either is no standing still.
  @Test func movesWhenAnyWriteEnds() {
    let progress = OutputProgress()
    progress.begin()
    progress.begin()
    let place = progress.place
    progress.end()
    #expect(progress.place != nil)
    #expect(progress.place != place)
  }
}

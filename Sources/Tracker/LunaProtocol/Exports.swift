// What is on the air belongs to the protocol; it is a room of its own so that `Beacons` can read it without LunaCrypto.
@_exported public import LunaFrames

// One import for a program that uses everything; the names of the modules are those of users.
@_exported public import BlueZ
@_exported public import Bluetooth
@_exported public import Captures
@_exported public import Diagnosis
@_exported public import HCIHost
@_exported public import LunaBuzzer
@_exported public import LunaClient
@_exported public import LunaCore
@_exported public import LunaFinder
@_exported public import LunaLocal
@_exported public import LunaLocation
@_exported public import LunaOnboarder
@_exported public import LunaOwner
@_exported public import LunaProtocol
@_exported public import LunaStore
@_exported public import SafeText
@_exported public import TrackerSimulation

"""Who may call each of the dealer's methods, and under which quota."""

from services.runtime.identity import Role
from services.runtime.quotas import Kind

PLAYERS = (Role.PLAYER,)
ALL = tuple(Role)
STAFF = (Role.OPERATOR, Role.SERVICE)
READERS = (Role.OPERATOR, Role.AUDITOR)
"""The roles that see who plays in which seat."""

ACCESS: dict[str, tuple[Role, ...]] = {
    "CreateTable": (*PLAYERS, *STAFF),
    "ListTables": ALL,
    "WatchLobby": ALL,
    "GetTable": ALL,
    "WatchTable": ALL,
    "TakeSeat": PLAYERS,
    "TakeAnySeat": PLAYERS,
    "JoinWaitingList": PLAYERS,
    "LeaveWaitingList": PLAYERS,
    "WaitForAnySeat": PLAYERS,
    "StopWaiting": PLAYERS,
    "WatchSeatWait": PLAYERS,
    "ReserveSeat": (*PLAYERS, *STAFF),
    "ReleaseSeat": (*PLAYERS, *STAFF),
    "CreateInvitation": (*PLAYERS, *STAFF),
    "AcceptInvitation": PLAYERS,
    "RevokeInvitation": (*PLAYERS, *STAFF),
    "ListInvitations": (*PLAYERS, *STAFF),
    "AddChips": PLAYERS,
    "LeaveSeat": PLAYERS,
    "SetTopUp": PLAYERS,
    "SitOut": PLAYERS,
    "SitIn": PLAYERS,
    "StartRound": (*PLAYERS, *STAFF),
    "Act": PLAYERS,
    "Play": PLAYERS,
    "SetSeed": PLAYERS,
    "VoidRound": STAFF,
    "DecideVoid": (Role.OPERATOR,),
    "CloseTable": (*PLAYERS, *STAFF),
    "MoveRules": (Role.OPERATOR,),
    "GetCardProof": PLAYERS,
    "ScriptRound": STAFF,
    "PassDeadline": STAFF,
}
"""The roles that may call each method; a player acts for its own seat only."""

HASTE: dict[str, Kind] = {
    "CreateTable": Kind.TABLES,
    "AcceptInvitation": Kind.CODES,
    "Act": Kind.ACTS,
    "StartRound": Kind.ACTS,
    "ScriptRound": Kind.ACTS,
    "PassDeadline": Kind.ACTS,
}
"""The quota of each method: actions are bounded by a round's rules, new tables and codes by quotas of their own."""

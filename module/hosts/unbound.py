# SPDX-License-Identifier: BSD-3-Clause
"""The policy in an unmodified Unbound 1.17 or later, as a script of its Python module:

    server:
        module-config: "python validator iterator"
    python:
        python-script: "/usr/share/unbound-idn/unbound.py"

Environment variables, with their defaults: IDNPOLICY_LIBRARY (libidnpolicy.so.1) and IDNPOLICY_CONFIG (/etc/unbound/idn.conf) are
paths; IDNPOLICY_DNS64 (64:ff9b::/96) is the value of dns64-prefix, for Unbound's module dns64, which must come after `python`. See
doc/hosts.md for limitations.

Rules with client= need `python subnetcache validator iterator`. Without `subnetcache`, Unbound gives all clients that wait for a name
one answer. With it, each client has its own query state; no subnet is sent unless send-client-subnet says so. A client-specific
answer leaves the message cache at once.

Unbound calls operate() for a question that its message cache cannot answer, and on_cached() for one that it can. A script cannot
replace an answer from that cache. If the policy refuses it (it was allowed when it was stored), on_cached() removes its records and
lets it expire. Its rcode becomes the policy's, or SERVFAIL if the policy has records to give or there is no memory to decide. The
next query gets the policy's full answer. So `serve-expired` must be off: Unbound could serve the changed entry again."""

import ctypes
import ipaddress
import os
import pwd
import socket
import threading
import time
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint16, c_uint32, c_uint64, c_uint8, c_void_p

LIBRARY = os.environ.get("IDNPOLICY_LIBRARY", "libidnpolicy.so.1")
CONFIG = os.environ.get("IDNPOLICY_CONFIG", "/etc/unbound/idn.conf")
DNS64 = os.environ.get("IDNPOLICY_DNS64", "64:ff9b::/96")
VERSION = 1  # idnp_version() / 10000 of a library with the structs below
CHAIN_MAX = 32

LEAVE, ANSWER, UNDECIDED = 0, 1, -1
NO_CLIENTS, NO_TRANSPORT, RELOADS = 1, 2, 4  # flags of the options
FROM_A = 2  # flag of a question
AUTHORITY = 2
ALIASES = (socket.htons(RR_TYPE_CNAME), socket.htons(RR_TYPE_DNAME))  # noqa: F821
OF_AUTHORITY = (2, 6, 43, 47, 50)  # NS, SOA, DS, NSEC, NSEC3
AAAA = 28
SECURITY = 2  # indeterminate: not validated (util/data/packed_rrset.h)
# Results of validation: Unbound's numbers to the library's. Unbound's 0 is unchecked, 4 a failed root key sentinel (RFC 8509).
SECURITIES = {1: 1, 2: 2, 3: 3, 4: 1, 5: 4}  # bogus, indeterminate, insecure, bogus, secure
EDE = 15
SUBNET = 8  # the EDNS option in which a forwarder names its client (RFC 7871)
UDP_PLAIN = 512  # octets that every client accepts over UDP; Unbound does not report this client's limit
HEADS = 33  # octets of a reply beside the question's name, the records and the text: header, type and class, OPT record
QR_RA = 0x8080
RCODES = 0xF


class Options(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("log", c_void_p), ("log_arg", c_void_p)]


class Record(ctypes.Structure):
    _fields_ = [("owner", c_void_p), ("rdata", c_void_p), ("owner_len", c_uint32), ("rdata_len", c_uint32), ("ttl", c_uint32),
                ("type", c_uint16), ("rclass", c_uint16), ("section", c_uint16), ("unused", c_uint16)]


class Question(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("qname", c_char_p), ("qname_len", c_uint32), ("qtype", c_uint16),
                ("qclass", c_uint16), ("address", c_uint8 * 16), ("address_len", c_uint32), ("unused", c_uint32),
                ("seconds", c_int64), ("subnet", c_char_p), ("subnet_len", c_uint32), ("unused2", c_uint32)]


class Decision(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("result", c_int32), ("matched", c_uint32), ("log_only", c_uint32), ("rcode", c_int32),
                ("ede", c_int32), ("ttl", c_uint32), ("record_count", c_uint32), ("records", POINTER(Record)),
                ("ede_text", c_char_p), ("follow", c_void_p), ("follow_len", c_uint32), ("line", c_uint32), ("file", c_char_p),
                ("action", c_char_p), ("subject", c_char_p), ("key", c_char_p), ("target", c_char_p), ("tags", c_char_p),
                ("label", c_uint32), ("target_count", c_uint32), ("generation", c_uint64), ("report", c_uint32),
                ("client_specific", c_uint32), ("group", c_char_p), ("structured_code", c_uint32), ("structured_ede", c_int32),
                ("structured_text", c_char_p), ("structured_brief", c_char_p)]


class Reply(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("qname_len", c_uint32), ("qname", c_char_p), ("qtype", c_uint16), ("qclass", c_uint16),
                ("id", c_uint16), ("port", c_uint16), ("rcode", c_int32), ("transport", c_uint32), ("cached", c_uint32),
                ("address_len", c_uint32), ("address", c_uint8 * 16), ("elapsed_us", c_uint64), ("seconds", c_int64),
                ("nanoseconds", c_int64), ("message", c_void_p), ("message_len", c_uint32), ("security", c_uint32),
                ("subnet", c_char_p), ("subnet_len", c_uint32), ("unused", c_uint32)]


def functions(library):
    """Returns the library's functions, and the names of those that are missing. Functions that never wait keep Python's lock (PyDLL):
    to release it costs more than their work."""
    waiting, quick = ctypes.CDLL(library), ctypes.PyDLL(library)
    result = {"open": (waiting, c_void_p, c_char_p, POINTER(Options), c_char_p, c_size_t), "close": (waiting, None, c_void_p),
              "wants_subnet": (quick, c_int32, c_void_p), "version": (quick, c_uint32), "version_text": (quick, c_char_p),
              "message": (quick, c_int32, c_void_p, c_char_p, c_size_t),
              "decision_new": (quick, POINTER(Decision)), "decision_free": (quick, None, POINTER(Decision)),
              "decide": (quick, c_int32, *[c_void_p] * 3),  # addresses as integers: converting pointers doubles the cost
              "decide_answer": (quick, c_int32, c_void_p, c_void_p, POINTER(Record), c_uint32, c_void_p),
              "report": (quick, c_int32, *[c_void_p] * 3)}
    found = {}
    for name, (where, restype, *argtypes) in result.items():
        try:
            found[name] = getattr(where, f"idnp_{name}")
        except AttributeError:
            continue
        found[name].restype, found[name].argtypes = restype, argtypes
    return found, [name for name in result if name not in found]


class Scratch:
    """Memory for one decision at a time: Unbound has one thread."""

    def __init__(self):
        made = [idn.call["decision_new"]() for _ in range(2)]
        if not all(made):
            raise OSError("out of memory")
        self.decision, self.other = (decision.contents for decision in made)
        self.question = Question(size=ctypes.sizeof(Question))
        self.reply = Reply(size=ctypes.sizeof(Reply))
        self.at_question, self.at_reply, self.at_decision, self.at_other = map(
            ctypes.addressof, (self.question, self.reply, self.decision, self.other))
        self.chain = (Record * CHAIN_MAX)()
        self.decided = None  # the address of the query state to which the decision belongs
        self.done = None  # the address of the query state whose answer has just been decided


def start_of(prefix):
    """Returns the octets with which every address made by dns64 begins."""
    try:
        network = ipaddress.IPv6Network(prefix)
    except ValueError as error:
        raise OSError(f"IDNPOLICY_DNS64: {error}") from None
    return network.network_address.packed[: network.prefixlen // 8]


def advised(text):
    """Returns a message of the library, with the line of unbound.conf that it asks for."""
    return text + ' (module-config: "python subnetcache validator iterator")' * text.endswith("as it is configured")


class Policy:
    """An open policy, and the functions of its library."""

    def __init__(self, modules):
        # dns64 looks up A records as Unbound's own lookups, and only a module before dns64 sees the AAAA records that it makes.
        # subnetcache has its own cache.
        for other in ("dns64", "subnetcache"):
            if other in modules and modules.index(other) < modules.index("python"):
                raise OSError(f"module-config: expected python before {other}")
        self.clients = "subnetcache" in modules
        self.made = start_of(DNS64) if "dns64" in modules else None
        self.call, missing = functions(LIBRARY)
        if "version" not in missing and self.call["version"]() // 10000 != VERSION:
            raise OSError(f"{LIBRARY} is version {self.call['version_text']().decode()}, not {VERSION}")
        if missing:
            raise OSError(f"{LIBRARY} has no idnp_{missing[0]}")
        errors = ctypes.create_string_buffer(2048)
        options = Options(size=ctypes.sizeof(Options), flags=NO_TRANSPORT | RELOADS | (0 if self.clients else NO_CLIENTS))
        self.handle = self.call["open"](CONFIG.encode(), byref(options), errors, len(errors))
        if not self.handle:
            raise OSError("; ".join(map(advised, errors.value.decode("utf-8", "replace").splitlines())) or "out of memory")
        self.wants_subnet = bool(self.call["wants_subnet"](self.handle))
        self.ended = threading.Event()
        self.writer = threading.Thread(target=self.write_messages, daemon=True)

    def write_messages(self):
        """Writes the library's messages to Unbound's log, until the policy is closed."""
        text, say = ctypes.create_string_buffer(16384), (log_err, log_warn, log_info, log_info)  # noqa: F821
        while True:
            ended = self.ended.wait(0.2)
            while (severity := self.call["message"](self.handle, text, len(text))) >= 0:
                say[severity]("idn: " + advised(text.value.decode("utf-8", "replace").removeprefix("idn: ")))
            if ended:
                return

    def close(self):
        self.ended.set()
        self.writer.join()
        self.call["close"](self.handle)


idn = here = None


def check_only(cfg):
    """For unbound-checkconf: opens the policy as Unbound would, as Unbound's user, so that the log belongs to that user."""
    is_root = os.geteuid() == 0 and cfg.username
    if is_root:
        user = pwd.getpwnam(cfg.username)
        os.initgroups(cfg.username, user.pw_gid)
        os.setegid(user.pw_gid)
        os.seteuid(user.pw_uid)
    policy = Policy(cfg.module_conf.split())
    policy.ended.set()
    policy.write_messages()
    policy.call["close"](policy.handle)
    if is_root:
        os.seteuid(0)
        os.setegid(0)


def copy_address(sender, where):
    """Copies a client's address. Returns its length in octets; 0: no address."""
    address = sender.raw_addr if sender else None
    if not address or len(address) not in (4, 16):
        return 0
    where[: len(address)] = address
    return len(address)


def set_subnet(where, options):
    """Sets the option in which a forwarder names its client. `options` are the query's."""
    data = next((bytes(option.data) for option in options if option.code == SUBNET), None)
    where.subnet, where.subnet_len = data, len(data or b"")


def is_made(rep):
    """Returns whether dns64 has made the addresses of the answer."""
    for i in range(rep.an_numrrsets):
        if socket.ntohs(rep.rrsets[i].rk.type) == AAAA:
            return rep.rrsets[i].entry.data.rr_data[0][2:].startswith(idn.made)
    return False


def decide(qinfo, rep, comm_reply, options, qstate=None):
    """Decides a client's question with these EDNS options, and the alias chain of the answer if `rep` is given. Returns the result."""
    here.decided = int(qstate.this) if qstate else None
    question, qname, qtype = here.question, qinfo.qname, qinfo.qtype
    if idn.clients:
        question.address_len = copy_address(comm_reply._addr if comm_reply else None, question.address)
        if idn.wants_subnet:
            set_subnet(question, options)
    question.qname, question.qname_len = qname, len(qname)
    question.qtype, question.qclass = qtype, qinfo.qclass
    question.flags = FROM_A if rep and idn.made and qtype == AAAA and is_made(rep) else 0
    aliases = []  # keeps their octets alive during the call
    for i in range(rep.an_numrrsets if rep else 0):
        rrset = rep.rrsets[i]
        key = rrset.rk
        if key.type in ALIASES:
            data = rrset.entry.data
            aliases += [(key, data.ttl, key.dname, data.rr_data[n][2:]) for n in range(data.count)]  # after its length
    if not aliases:
        return idn.call["decide"](idn.handle, here.at_question, here.at_decision)
    for record, (key, ttl, owner, rdata) in zip(here.chain, aliases):
        record.owner, record.owner_len = ctypes.cast(owner, c_void_p), len(owner)
        record.rdata, record.rdata_len = ctypes.cast(rdata, c_void_p), len(rdata)
        record.ttl = ttl if qstate else 0  # in the cache, a TTL is a time of expiry
        record.type, record.rclass = socket.ntohs(key.type), socket.ntohs(key.rrset_class)
    # More than CHAIN_MAX aliases are an error: the client gets SERVFAIL.
    return idn.call["decide_answer"](idn.handle, here.at_question, here.chain, len(aliases), here.at_decision)


def sift(rep):
    """Cuts an answer off before the first record of a name that is refused to any client. In the authority section, records of the
    types in OF_AUTHORITY stay. One such record in the additional section removes that section."""
    answer, question = rep.an_numrrsets, here.question
    authority = answer + rep.ns_numrrsets
    for i in range(answer, authority + rep.ar_numrrsets):
        key = rep.rrsets[i].rk
        rrtype = socket.ntohs(key.type)
        if i < authority and rrtype in OF_AUTHORITY:
            continue
        owner = key.dname
        question.qname, question.qname_len = owner, len(owner)
        question.qtype, question.qclass, question.flags = rrtype, RR_CLASS_IN, 0  # noqa: F821 - a client may ignore a record's class
        if idn.call["decide"](idn.handle, here.at_question, here.at_other) != LEAVE or here.other.client_specific:
            rep.ns_numrrsets, rep.ar_numrrsets = min(i, authority) - answer, 0
            break


def text_of(name):
    """Returns a name in wire format as text, with escapes."""
    labels, at = [], 0
    while name[at]:
        labels.append("".join(chr(o) if chr(o).isascii() and chr(o).isalnum() or o in b"-_" else f"\\{o:03d}"
                              for o in name[at + 1 : at + 1 + name[at]]))
        at += 1 + name[at]
    return ".".join(labels) + "."


def asks(decision, edns):
    """Returns whether the client asks for structured errors."""
    code = decision.structured_code
    return bool(code) and any(option.code == code for option in edns.opt_list_iter)


def structured(decision, qname, records):
    """Returns the info code and the text of a structured error: the longest text that fits into a reply of UDP_PLAIN octets."""
    if decision.follow:
        room = 0
    else:
        room = UDP_PLAIN - HEADS - len(qname) - sum(record.owner_len + 10 + record.rdata_len for record in records)
    for text in (decision.structured_text, decision.structured_brief, b""):
        if len(text) <= room:
            break
    return decision.structured_ede, text


def add_ede(code, text, options, region):
    if code >= 0:
        edns_opt_list_append(options, EDE, bytearray(code.to_bytes(2, "big") + text), region)  # noqa: F821


def replace_ede(decision, qname, edns, options, region):
    """Replaces the extended error by a structured one if this client asks for it: clients that wait for the same answer may differ.
    Only the head of the list belongs to this client. In the policy's answers, no option comes before the extended error."""
    if decision.result == ANSWER and asks(decision, edns):
        edns_opt_list_remove(options, EDE)  # noqa: F821
        add_ede(*structured(decision, qname, decision.records[: decision.record_count]), options, region)


def answer(qstate, result):
    """Makes Unbound send the decision's answer, or SERVFAIL if the decision failed."""
    decision = here.decision
    if result < LEAVE:
        qstate.return_rcode = RCODE_SERVFAIL  # noqa: F821
        return
    add_ede(decision.ede, decision.ede_text, qstate.edns_opts_front_out, qstate.region)
    if decision.record_count == 0:
        qstate.return_rcode = decision.rcode
        if decision.rcode:
            return
    message = DNSMessage(text_of(qstate.qinfo.qname), qstate.qinfo.qtype, qstate.qinfo.qclass, PKT_QR | PKT_RA)  # noqa: F821
    for record in decision.records[: decision.record_count]:
        owner = ctypes.string_at(record.owner, record.owner_len)
        rdata = ctypes.string_at(record.rdata, record.rdata_len)
        line = f"{text_of(owner)} {record.ttl} CLASS{record.rclass} TYPE{record.type} \\# {len(rdata)} {rdata.hex()}"
        (message.authority if record.section == AUTHORITY else message.answer).append(line)
    if not message.set_return_msg(qstate):
        raise ValueError(f"no answer of {message.answer + message.authority}")
    qstate.return_rcode = RCODE_NOERROR  # noqa: F821
    rep = qstate.return_msg.rep
    rep.flags = rep.flags & ~RCODES | decision.rcode
    rep.security = SECURITY


def report(qinfo, rep, rcode, edns, repinfo, start_time, decided, cached):
    reply, qname = here.reply, qinfo.qname
    reply.qname, reply.qname_len = qname, len(qname)
    reply.qtype, reply.qclass = qinfo.qtype, qinfo.qclass
    reply.rcode = rcode or (rep.flags & RCODES if rep else 0)
    reply.security = SECURITIES.get(rep.security, 0) if rep else 0
    reply.cached = cached
    sender = repinfo._addr if repinfo else None
    reply.address_len = copy_address(sender, reply.address)
    if idn.wants_subnet:
        set_subnet(reply, edns.opt_list_iter if edns else ())
    reply.port = sender.port if reply.address_len else 0
    reply.elapsed_us = 0 if cached else max(0, int((time.time() - start_time) * 1e6))
    idn.call["report"](idn.handle, here.at_reply, here.at_decision if decided else None)


# ---- called by Unbound -------------------------------------------------------------------------------------------


def init_standard(id, env):
    global idn, here
    try:
        # While a thread decides a cached reply, it holds the entry's lock and waits for Python's lock. Another thread that holds
        # Python's lock and waits for that entry would deadlock.
        if env.cfg.num_threads > 1:
            raise OSError(f"num-threads is {env.cfg.num_threads}: with Python in Unbound, expected 1")
        if not env.msg_cache:
            check_only(env.cfg)
            return True
        idn = Policy(env.cfg.module_conf.split())
        here = Scratch()
    except (OSError, KeyError) as error:
        log_err(f"idn: no policy: {error}")  # noqa: F821
        raise SystemExit from None
    idn.writer.start()
    register_inplace_cb_reply(on_reply, env, id)  # noqa: F821
    register_inplace_cb_reply_cache(on_cached, env, id)  # noqa: F821
    register_inplace_cb_reply_servfail(on_reply, env, id)  # noqa: F821
    register_inplace_cb_reply_local(on_reply, env, id)  # noqa: F821
    return True


def deinit(id):
    if idn:
        idn.close()
    return True


def inform_super(id, qstate, superqstate, qdata):
    return True


def operate(id, event, qstate, qdata):
    here.done = None
    client = qstate.mesh_info.reply_list  # None: one of Unbound's own lookups, to which the policy does not apply
    if event in (MODULE_EVENT_NEW, MODULE_EVENT_PASS):  # noqa: F821
        if client and (result := decide(qstate.qinfo, None, client.query_reply, qstate.edns_opts_front_in_iter, qstate)) != LEAVE:
            answer(qstate, result)
            qstate.ext_state[id] = MODULE_FINISHED  # noqa: F821
        else:
            qstate.ext_state[id] = MODULE_WAIT_MODULE  # noqa: F821
    elif event == MODULE_EVENT_MODDONE:  # noqa: F821
        if client:
            message = qstate.return_msg
            result = decide(qstate.qinfo, message.rep if message else None, client.query_reply, qstate.edns_opts_front_in_iter, qstate)
            is_personal = here.decision.client_specific
            if is_personal and idn.clients and client.next:
                result = UNDECIDED  # this Unbound lets clients share an answer in spite of subnetcache
            if result != LEAVE or is_personal:
                invalidateQueryInCache(qstate, qstate.qinfo)  # noqa: F821
            if result != LEAVE:
                answer(qstate, result)
            elif message:
                sift(message.rep)
        qstate.ext_state[id] = MODULE_FINISHED  # noqa: F821
    else:
        qstate.ext_state[id] = MODULE_ERROR  # noqa: F821
    if qstate.ext_state[id] == MODULE_FINISHED:  # noqa: F821
        here.done = int(qstate.this)
    return True


def end(rep, rcode):
    """Removes the records of a reply and sets its rcode. It may be an entry of the cache; no other thread reads that, since there is one
    thread."""
    rep.flags, rep.ttl = QR_RA | rcode, 0
    rep.an_numrrsets = rep.ns_numrrsets = rep.ar_numrrsets = 0


def fail(rep, error):
    """Turns a reply that cannot be decided or reported into SERVFAIL. No exception may leave a callback: Unbound does not clear it, and
    then every operate() fails."""
    if rep:
        end(rep, RCODE_SERVFAIL)  # noqa: F821
    log_err(f"idn: SERVFAIL: {error!a}")  # noqa: F821
    return True


def on_reply(qinfo, qstate, rep, rcode, edns, opt_list_out, region, **more):
    """Decides and reports a reply that was looked up or comes from local-data, or an expired one that Unbound sends while it looks the
    name up. A reply without `qinfo` is Unbound's own of class CH (version.bind)."""
    try:
        if not qinfo:
            return True
        if qstate and rep and here.done != int(qstate.this):
            return on_cached(qinfo, qstate, rep, rcode, edns, opt_list_out, region, **more)
        decided = bool(qstate) and here.decided == int(qstate.this)
        if decided:
            replace_ede(here.decision, qinfo.qname, edns, opt_list_out, region)
        report(qinfo, rep, rcode, edns, more["repinfo"], more["start_time"], decided, 0)
        return True
    except Exception as error:
        return fail(rep, error)


def on_cached(qinfo, qstate, rep, rcode, edns, opt_list_out, region, **more):
    """Decides and reports a reply from the message cache."""
    try:
        result = decide(qinfo, rep, more["repinfo"], edns.opt_list_iter)
        decision = here.decision
        if result != LEAVE:
            gives = result < LEAVE or any(record.section != AUTHORITY for record in decision.records[: decision.record_count])
            end(rep, RCODE_SERVFAIL if gives else decision.rcode)  # noqa: F821
            is_asked = asks(decision, edns)
            add_ede(*(structured(decision, qinfo.qname, ()) if is_asked else (decision.ede, decision.ede_text)), opt_list_out, region)
        else:
            if decision.client_specific:
                rep.ttl = 0  # the next query looks it up
            sift(rep)
        report(qinfo, rep, 0, edns, more["repinfo"], more["start_time"], True, 1)
        return True
    except Exception as error:
        return fail(rep, error)

-- SPDX-License-Identifier: BSD-3-Clause
-- The policy in PowerDNS Recursor 4.8 or later. In the script that lua-dns-script names:
--
--     dofile('/usr/share/unbound-idn/recursor.lua') {}
--
-- See doc/hosts.md. `preresolve` decides the question, `postresolve` the question and its aliases. `gettag_ffi`, which runs before
-- the packet cache is asked, makes the policy in force a part of the cache's key; what a rule has matched never enters that cache.
-- Each thread has a Lua state of its own and runs this once; they share the handle.
local ffi = require 'ffi'
local C = ffi.C
ffi.cdef [[
  typedef struct _IO_FILE FILE;
  extern FILE *stdin;
  void flockfile(FILE *);
  void funlockfile(FILE *);
  int setenv(const char *name, const char *value, int overwrite);
  int getpid(void);
  struct idn_timeval { long seconds, microseconds; };
  int gettimeofday(struct idn_timeval *, void *);
  void pdns_ffi_param_set_tag(void *, unsigned int tag);
]]
local open = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'idnpolicy.lua')
local ANSWER, TRUNCATE, DROP = 1, 2, 3
local UDP = 1
local CNAME, DNAME = 5, 39
local HANDLE = 'IDNPOLICY_HANDLE'

-- States of one process have nothing in common but its environment, and no lock but those of the C library.
local function open_once(path, config)
  local process, handle = (os.getenv(HANDLE) or ''):match('^(%d+) (%d+)$')
  local is_open = tonumber(process) == C.getpid()
  if is_open and handle == '0' then
    error('idn: no handle', 0) -- another thread has said why
  end
  local opened, library, idnp = pcall(open, path, config, is_open and tonumber(handle) or nil)
  if not is_open then
    handle = opened and ('%.0f'):format(tonumber(ffi.cast('uintptr_t', idnp))) or '0'
    C.setenv(HANDLE, ('%d %s'):format(C.getpid(), handle), 1)
  end
  if not opened then
    pdnslog(library, pdns.loglevels.Error)
    error('idn: no handle', 0)
  end
  return library, idnp
end

local function open_shared(path, config)
  C.flockfile(C.stdin)
  local opened, library, idnp = pcall(open_once, path, config)
  C.funlockfile(C.stdin)
  if not opened then
    error(library, 0)
  end
  return library, idnp
end

-- A DNSName as octets.
local function wire(name)
  local labels = name:getRawLabels()
  for i, label in ipairs(labels) do
    labels[i] = string.char(#label) .. label
  end
  return table.concat(labels) .. '\0'
end

-- A name in octets as a DNSName.
local function dnsname(octets, len)
  local text, at = {}, 0
  while at < len - 1 do
    for i = at + 1, at + octets[at] do
      text[#text + 1] = ('\\%03d'):format(octets[i])
    end
    text[#text + 1] = '.'
    at = at + octets[at] + 1
  end
  return newDN(#text > 0 and table.concat(text) or '.')
end

local function a_text(octets)
  return ('%d.%d.%d.%d'):format(octets[0], octets[1], octets[2], octets[3])
end

local function aaaa_text(octets)
  local groups = {}
  for i = 0, 14, 2 do
    groups[#groups + 1] = ('%x'):format(octets[i] * 256 + octets[i + 1])
  end
  return table.concat(groups, ':')
end

-- Any data: in the form of RFC 3597, which newDR takes only of a type that it does not know.
local function generic(owner, record)
  local hex = {}
  for i = 0, record.rdata_len - 1 do
    hex[#hex + 1] = ('%02x'):format(record.rdata[i])
  end
  local made = newDR(owner, 'TYPE65280', record.ttl, ('\\# %d %s'):format(record.rdata_len, table.concat(hex)), record.section)
  made.type = record.type
  return made
end

local function to_record(record, is_hidden)
  local owner = dnsname(record.owner, record.owner_len)
  local content
  if record.type == 1 then
    return newDR(owner, 'A', record.ttl, a_text(record.rdata), record.section)
  elseif record.type == 28 then
    return newDR(owner, 'AAAA', record.ttl, aaaa_text(record.rdata), record.section)
  elseif record.type == CNAME and not is_hidden then
    content = dnsname(record.rdata, record.rdata_len):toString()
    return newDR(owner, 'CNAME', record.ttl, content, record.section)
  end
  return generic(owner, record)
end

-- Options: `config`, the path of idn.conf (/etc/powerdns/idn.conf); `library`, that of libidnpolicy.so.0. Without a policy it is an error.
return function(options)
  local library, idnp = open_shared(options.library or 'libidnpolicy.so.0', options.config or '/etc/powerdns/idn.conf')
  local verdict = library.idnp_verdict_new()
  assert(verdict ~= nil, 'idn: no memory')
  verdict = ffi.gc(verdict, library.idnp_verdict_free)
  local question, chain = ffi.new('struct idnp_question'), ffi.new('struct idnp_record[32]')
  question.size = ffi.sizeof(question)
  local line, now = ffi.new('struct idnp_reply'), ffi.new('struct idn_timeval')
  line.size = ffi.sizeof(line)
  local messages = ffi.new('char[?]', 65536)

  -- What `name` is, until the verdict has been used: the structs point into it.
  local function ask(dq, name)
    question.flags = dq.isTcp and 0 or UDP
    question.qname, question.qname_len = name, #name
    question.qtype, question.qclass = dq.qtype, 1
  end

  local function report(dq, name, rcode)
    local header, remote, asked = dq:getDH(), dq.remoteaddr, dq.queryTime
    local address = remote:getRaw()
    C.gettimeofday(now, nil)
    line.qname, line.qname_len = name, #name
    line.qtype, line.qclass = dq.qtype, 1
    line.id, line.port, line.rcode = header:getID(), remote:getPort(), rcode
    line.transport = dq.isTcp and 1 or 0
    line.address_len = #address
    ffi.copy(line.address, address, #address)
    line.elapsed_us = math.max(0, tonumber(now.seconds - asked.tv_sec) * 1000000 + tonumber(now.microseconds) - asked.tv_usec)
    library.idnp_report(idnp, line, verdict)
  end

  local function give(dq)
    local records, followed = {}, nil
    for i = 0, verdict.record_count - 1 do
      local record = verdict.records[i]
      local is_followed = verdict.follow ~= nil and record.type == CNAME and i == verdict.record_count - 1
      records[#records + 1] = to_record(record, verdict.follow ~= nil and not is_followed)
      followed = followed or is_followed
    end
    dq:setRecords(records)
    dq.rcode = verdict.rcode
    if verdict.ede >= 0 then
      dq.extendedErrorCode = verdict.ede
      dq.extendedErrorExtra = ffi.string(verdict.ede_text)
    end
    if followed then -- of the first record whose content is a CNAME's, not generic
      dq.followupFunction = 'followCNAMERecords'
    end
  end

  -- Does what was decided. True: the hook has an answer.
  local function act(dq, name, result)
    if verdict.matched == 1 or result < 0 then
      dq.variable = true
    end
    if result == 0 then
      return false
    end
    if result == DROP then
      dq.appliedPolicy.policyKind = pdns.policykinds.Drop
    elseif result == TRUNCATE then
      dq.appliedPolicy.policyKind = pdns.policykinds.Truncate
    elseif result == ANSWER then
      give(dq)
    else -- no memory
      dq:setRecords({})
      dq.rcode = pdns.SERVFAIL
    end
    report(dq, name, result == DROP and -1 or result == TRUNCATE and pdns.NOERROR or dq.rcode)
    return true
  end

  function preresolve(dq) -- luacheck: ignore
    local name = wire(dq.qname)
    ask(dq, name)
    return act(dq, name, library.idnp_decide(idnp, question, verdict))
  end

  function postresolve(dq) -- luacheck: ignore
    local name, kept, count = wire(dq.qname), {}, 0
    ask(dq, name)
    for _, record in ipairs(dq:getRecords()) do
      if (record.type == CNAME or record.type == DNAME) and record.place == pdns.place.ANSWER and count < 32 then
        local owner, target = wire(record.name), wire(newDN(record:getContent()))
        kept[#kept + 1], kept[#kept + 2] = owner, target
        local alias = chain[count]
        alias.owner, alias.owner_len, alias.rdata, alias.rdata_len = owner, #owner, target, #target
        alias.ttl, alias.type, alias.rclass = record.ttl, record.type, 1
        count = count + 1
      end
    end
    if act(dq, name, library.idnp_decide_answer(idnp, question, chain, count, verdict)) then
      return true
    end
    report(dq, name, dq.rcode)
    return false
  end

  -- LuaJIT compiles nothing that makes a pointer of light userdata. These are few, since each is a place on the thread's stack.
  local known = {}
  local function learn(param)
    known[param] = ffi.cast('void *', param)
    return known[param]
  end
  jit.off(learn)

  function gettag_ffi(param) -- luacheck: ignore
    C.pdns_ffi_param_set_tag(known[param] or learn(param), tonumber(library.idnp_generation(idnp)) % 0x7fffffff + 1)
  end

  -- What there is to say, to whichever thread asks first.
  function maintenance() -- luacheck: ignore
    local len = library.idnp_messages(idnp, messages, 65536)
    for text in ffi.string(messages, len):gmatch('[^\n]+') do
      pdnslog('idn: ' .. text:gsub('^idn: ', ''), pdns.loglevels.Warning)
    end
  end
end

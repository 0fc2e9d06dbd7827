-- SPDX-License-Identifier: BSD-3-Clause
-- The policy in PowerDNS Recursor 4.8 or later. In the script that lua-dns-script names:
--
--     dofile('/usr/share/unbound-idn/recursor.lua') {}
--
-- See doc/hosts.md. `gettag_ffi` decides the question before Recursor looks into its packet cache, and makes the policy in force a
-- part of that cache's key. An answer that a rule matched, or that is client-specific, never enters that cache. `preresolve` answers
-- questions that a rule matched. `postresolve` decides the question and its aliases. Each thread has its own Lua state and runs this
-- file once; all threads share the handle.
local ffi = require 'ffi'
local C = ffi.C
ffi.cdef [[
  struct idn_timeval { long seconds, microseconds; };
  int gettimeofday(struct idn_timeval *, void *);
  void pdns_ffi_param_get_qname_raw(void *, const char **qname, size_t *len);
  uint16_t pdns_ffi_param_get_qtype(const void *);
  void pdns_ffi_param_get_remote_raw(void *, const void **address, size_t *len);
  void pdns_ffi_param_set_tag(void *, unsigned int tag);
]]
local idnpolicy = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'idnpolicy.lua')
local ANSWER, TRUNCATE, DROP = 1, 2, 3
local UDP, FROM_A = 1, 2
local SUBNET = 8 -- the code of the EDNS option (RFC 7871)
local UDP_PLAIN = 512 -- octets that every client accepts over UDP; Recursor does not report this client's limit
local CNAME, PTR, AAAA, DNAME, RRSIG = 5, 12, 28, 39, 46
local BOGUS = 3 -- the first of the states of validation that mean bogus
local SECURITIES = { [0] = 0, 3, 4 } -- states of validation by the library's numbers: unknown, insecure, secure

-- Returns a DNSName in wire format.
local function wire(name)
  local labels = name:getRawLabels()
  for i, label in ipairs(labels) do
    labels[i] = string.char(#label) .. label
  end
  return table.concat(labels) .. '\0'
end

-- Returns a name in wire format as a DNSName.
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

-- Returns the target of a CNAME or DNAME record in wire format. Recursor passes records of another class than IN in the form of RFC
-- 3597.
local function target_of(record)
  local content = record:getContent()
  local hex = content:match('^\\# %d+ ?(%x*)$')
  return hex and hex:gsub('%x%x', function(octet) return string.char(tonumber(octet, 16)) end) or wire(newDN(content))
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

-- Returns a record's type, or DNAME for the signature of DNAME records.
local function type_of(record)
  return record.type == RRSIG and record:getContent():find('^DNAME ') and DNAME or record.type
end

-- Returns a record of any type. newDR accepts the form of RFC 3597 only for a type that it does not know.
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

-- Returns the wire-format suffix that the reverse names of all addresses within an IPv6 prefix of 96 bits have.
local function reverse_of(prefix)
  local address, labels = newCA((prefix:gsub('/96$', ''))):getRaw(), {}
  assert(#address == 16, 'idn: dns64: expected an IPv6 prefix of 96 bits, as in dns64-prefix')
  for i = 12, 1, -1 do
    labels[#labels + 1] = ('%02x'):format(address:byte(i)):reverse():gsub('.', '\1%0')
  end
  return table.concat(labels) .. '\3ip6\4arpa\0'
end

-- Returns the name under in-addr.arpa to which Recursor's DNS64 makes an alias from the reverse name of an address within the prefix;
-- nil: the name is none of these.
local function pointer_of(name, reverse)
  local octets = {}
  if #name ~= 16 + #reverse or name:sub(17):lower() ~= reverse then
    return nil
  end
  for low, high in name:sub(1, 16):gmatch('\1(%x)\1(%x)') do
    local octet = tostring(tonumber(high .. low, 16))
    octets[#octets + 1] = string.char(#octet) .. octet
  end
  return #octets == 4 and table.concat(octets) .. '\7in-addr\4arpa\0' or nil
end

-- Options: `config`, the path of idn.conf (/etc/powerdns/idn.conf); `library`, the path of libidnpolicy.so.1; `dns64`, the value of
-- dns64-prefix, if that is set. Raises an error if the policy cannot be opened: Recursor logs it, and exits.
return function(options)
  local reverse = options.dns64 and reverse_of(options.dns64)
  local library, idnp = idnpolicy.open(options.library, options.config or '/etc/powerdns/idn.conf')
  local wants_subnet = library.idnp_wants_subnet(idnp) == 1
  local decision = library.idnp_decision_new()
  assert(decision ~= nil, 'idn: no memory')
  decision = ffi.gc(decision, library.idnp_decision_free)
  local question, chain = ffi.new('struct idnp_question'), ffi.new('struct idnp_record[32]')
  question.size = ffi.sizeof(question)
  local line, now = ffi.new('struct idnp_reply'), ffi.new('struct idn_timeval')
  line.size = ffi.sizeof(line)

  -- Sets the option in which a forwarder names its client. `subnet` keeps its octets alive until the next call.
  local subnet
  local function set_subnet(of, dq)
    if wants_subnet then
      subnet = dq:getEDNSOption(SUBNET)
      of.subnet, of.subnet_len = subnet, subnet and #subnet or 0
    end
  end

  -- Sets the question for a name in wire format. The caller keeps `name` until the decision has been used: the structs point into it.
  local function ask(dq, name)
    question.flags = dq.isTcp and 0 or UDP
    question.qname, question.qname_len = name, #name
    question.qtype, question.qclass = dq.qtype, 1
    local address = dq.remoteaddr:getRaw()
    question.address_len = #address
    ffi.copy(question.address, address, #address)
    set_subnet(question, dq)
  end

  local function report(dq, name, rcode)
    if decision.report == 0 and decision.result >= 0 then
      return
    end
    local header, remote, asked = dq:getDH(), dq.remoteaddr, dq.queryTime
    local address = remote:getRaw()
    C.gettimeofday(now, nil)
    line.qname, line.qname_len = name, #name
    line.qtype, line.qclass = dq.qtype, 1
    line.id, line.port, line.rcode = header:getID(), remote:getPort(), rcode
    line.transport = dq.isTcp and 1 or 0
    line.security = SECURITIES[dq.validationState] or 1
    line.address_len = #address
    ffi.copy(line.address, address, #address)
    set_subnet(line, dq)
    line.elapsed_us = math.max(0, tonumber(now.seconds - asked.tv_sec) * 1000000 + tonumber(now.microseconds) - asked.tv_usec)
    library.idnp_report(idnp, line, decision)
  end

  local function give(dq, name)
    local records, followed = {}, nil
    for i = 0, decision.record_count - 1 do
      local record = decision.records[i]
      local is_followed = decision.follow ~= nil and record.type == CNAME and i == decision.record_count - 1
      records[#records + 1] = to_record(record, decision.follow ~= nil and not is_followed)
      followed = followed or is_followed
    end
    dq:setRecords(records)
    dq.rcode = decision.rcode
    local asks = decision.structured_code > 0 and dq:getEDNSOption(tonumber(decision.structured_code)) ~= nil
    local code, text = idnpolicy.error_of(decision, asks, not dq.isTcp and UDP_PLAIN or nil, #name)
    if code >= 0 then
      dq.extendedErrorCode = code
      dq.extendedErrorExtra = text
    end
    if followed then -- it follows the first CNAME record that is not in generic form
      dq.followupFunction = 'followCNAMERecords'
    end
  end

  -- Applies the decision. Returns whether the hook has an answer.
  local function act(dq, name, result)
    if decision.matched == 1 or decision.client_specific == 1 or result < 0 then
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
      give(dq, name)
    else -- no memory
      dq:setRecords({})
      dq.rcode = pdns.SERVFAIL
    end
    report(dq, name, result == DROP and -1 or result == TRUNCATE and pdns.NOERROR or dq.rcode)
    return true
  end

  local function add(count, owner, type, target, ttl)
    local alias = chain[count]
    alias.owner, alias.owner_len, alias.rdata, alias.rdata_len = owner, #owner, target, #target
    alias.ttl, alias.type, alias.rclass = ttl, type, 1
    return count + 1
  end

  function preresolve(dq) -- luacheck: ignore
    local name = reverse and dq.qtype == PTR and wire(dq.qname)
    local pointer = name and pointer_of(name, reverse)
    if pointer then -- Recursor does not call postresolve for it
      ask(dq, name)
      return act(dq, name, library.idnp_decide_answer(idnp, question, chain, add(0, name, CNAME, pointer, 3600), decision))
    end
    if dq.tag % 2 == 1 then -- gettag_ffi found that no rule matches, for any client
      return false
    end
    name = wire(dq.qname)
    ask(dq, name)
    return act(dq, name, library.idnp_decide(idnp, question, decision))
  end

  -- Called before DNS64 looks for A records.
  function nodata(dq) -- luacheck: ignore
    if dq.qtype == AAAA then
      dq.data = { is_made = true }
    end
    return false
  end

  -- Returns the records without those of refused names in the additional section, and in the answer section if their owner is not in
  -- `decided` (owners of DNAME records end in that type there, because other records of theirs are undecided); nil: none had to be
  -- removed.
  local function without_refused(dq, records, decided)
    local kept = {}
    for _, record in ipairs(records) do
      local place = record.place
      local owner = (place == pdns.place.ADDITIONAL and record.type ~= pdns.OPT or place == pdns.place.ANSWER) and wire(record.name)
      if owner and place == pdns.place.ANSWER and (decided[owner:lower()] or decided[owner:lower() .. type_of(record)]) then
        owner = nil
      end
      if owner then
        ask(dq, owner)
        question.qtype = record.type
      end
      if not owner or library.idnp_decide(idnp, question, decision) == 0 then
        kept[#kept + 1] = record
      end
      if owner and decision.client_specific == 1 then
        dq.variable = true
      end
    end
    return #kept < #records and kept or nil
  end

  function postresolve(dq) -- luacheck: ignore
    local name, kept, count, is_made, records, has_more = wire(dq.qname), {}, 0, false, dq:getRecords(), false
    local decided = { [name:lower()] = true }
    for _, record in ipairs(records) do
      local type, place = record.type, record.place
      if (type == CNAME or type == DNAME) and place == pdns.place.ANSWER and count < 32 then
        local owner, target = wire(record.name), target_of(record)
        kept[#kept + 1], kept[#kept + 2] = owner, target
        count = add(count, owner, type, target, record.ttl)
        decided[type == CNAME and target:lower() or owner:lower() .. DNAME] = true
      end
      is_made = is_made or type == AAAA
      has_more = has_more or type == DNAME or place == pdns.place.ADDITIONAL or
                 place == pdns.place.ANSWER and record.name ~= dq.qname and not decided[wire(record.name):lower()]
    end
    ask(dq, name)
    if is_made and dq.data and dq.data.is_made then
      question.flags = question.flags + FROM_A
    end
    if act(dq, name, library.idnp_decide_answer(idnp, question, chain, count, decision)) then
      return true
    end
    local is_bogus = dq.validationState >= BOGUS and not dq:getDH():getCD()
    local rcode = (is_bogus or dq.rcode < 0) and pdns.SERVFAIL or dq.rcode -- Recursor sets it later
    report(dq, name, rcode)
    local fewer = has_more and without_refused(dq, records, decided)
    if not fewer then
      return false
    end
    dq.rcode, dq.variable = rcode, true -- Recursor handles a bogus answer only if the hook returns false
    dq:setRecords(is_bogus and {} or fewer)
    return true
  end

  -- Sets the tag: the policy's generation, and in its last bit whether no rule matches, for any client.
  local params = idnpolicy.pointers('void *')
  local qname, address, size = ffi.new('const char *[1]'), ffi.new('const void *[1]'), ffi.new('size_t[1]')
  function gettag_ffi(param) -- luacheck: ignore
    param = params[param]
    C.pdns_ffi_param_get_qname_raw(param, qname, size)
    question.flags = 0
    question.qname, question.qname_len = ffi.cast('const uint8_t *', qname[0]), size[0]
    question.qtype, question.qclass = C.pdns_ffi_param_get_qtype(param), 1
    C.pdns_ffi_param_get_remote_raw(param, address, size)
    question.address_len = size[0]
    ffi.copy(question.address, address[0], size[0])
    question.subnet = nil -- the decision is used only if it is the same for all clients
    local result = library.idnp_decide(idnp, question, decision) -- below 0: it failed, and preresolve decides again
    local is_decided_here = result == 0 and decision.matched == 0 and decision.client_specific == 0
    C.pdns_ffi_param_set_tag(param, 2 * (tonumber(decision.generation) % 0x3fffffff) + 2 + (is_decided_here and 1 or 0))
  end

  -- Writes the library's pending messages; whichever thread calls first gets them.
  local function to_log(level)
    return function(line) pdnslog(line, level) end
  end
  local levels = pdns.loglevels
  local say = { to_log(levels.Error), to_log(levels.Warning), to_log(levels.Notice), to_log(levels.Notice) }
  function maintenance() -- luacheck: ignore
    idnpolicy.write_messages(library, idnp, say)
  end
end

-- SPDX-License-Identifier: BSD-3-Clause
-- The policy in dnsdist 1.7 or later, in front of any resolver. In dnsdist.conf, before every other rule and after `maintenance`,
-- if that is defined:
--
--     dofile('/usr/share/unbound-idn/dnsdist.lua') {}
--
-- See doc/hosts.md. Three functions look at messages: `question` at each query, before the packet cache does; `answer` at each
-- answer, from a backend (before it is cached), from the packet cache or of another rule; `given` at what `question` answered.
-- They run in states of their own, one for each thread and function, so no lock is held. What they share is the handle.
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)') or './'

local COMMON = [[
local open = (function(...) %s end)()
local ffi, bit = require 'ffi', require 'bit'
local C = ffi.C
local library, idnp = open(%q, nil, %s)
local decide, send_report = library.idnp_decide_message, library.idnp_report
local NONE, DROP, SERVFAIL = %d, %d, %d

local verdict = library.idnp_verdict_new()
assert(verdict ~= nil, 'idn: no memory')
local reply, message = ffi.new('uint8_t[65535]'), ffi.new('struct idnp_exchange')
message.size, message.reply, message.reply_cap = ffi.sizeof(message), reply, 65535
local line, query = ffi.new('struct idnp_reply'), ffi.new('uint8_t[288]')
line.size = ffi.sizeof(line)
local name, address, size = ffi.new('const char *[1]'), ffi.new('const void *[1]'), ffi.new('size_t[1]')

-- LuaJIT compiles nothing that makes a pointer of the light userdata that dnsdist passes. They are few, since each is a place on a
-- thread's stack, and are remembered as pointers.
local known = {}
local function learn(dq)
  known[dq] = ffi.cast('dnsdist_ffi_dnsquestion_t *', dq)
  return known[dq]
end
jit.off(learn)

-- Its octets, how many, and IDNP_UDP or 0.
local function octets(dq)
  return ffi.cast('uint8_t *', C.dnsdist_ffi_dnsquestion_get_header(dq)), tonumber(C.dnsdist_ffi_dnsquestion_get_size(dq)),
         C.dnsdist_ffi_dnsquestion_get_tcp(dq) and 0 or 1
end

local function send(dq, from, len)
  C.dnsdist_ffi_dnsquestion_set_size(dq, len)
  ffi.copy(C.dnsdist_ffi_dnsquestion_get_header(dq), from, len)
end

local function report(dq, sent, rcode, cached)
  C.dnsdist_ffi_dnsquestion_get_qname_raw(dq, name, size)
  line.qname, line.qname_len = ffi.cast('const uint8_t *', name[0]), size[0]
  line.qtype, line.qclass = C.dnsdist_ffi_dnsquestion_get_qtype(dq), C.dnsdist_ffi_dnsquestion_get_qclass(dq)
  line.id, line.port = sent[0] * 256 + sent[1], C.dnsdist_ffi_dnsquestion_get_remote_port(dq)
  line.rcode, line.cached = rcode, cached
  line.transport = C.dnsdist_ffi_dnsquestion_get_tcp(dq) and 1 or 0
  C.dnsdist_ffi_dnsquestion_get_remoteaddr(dq, address, size)
  line.address_len = size[0]
  ffi.copy(line.address, address[0], size[0])
  send_report(idnp, line, verdict)
end
]]

-- What is answered here is sent by `given`: between the two, dnsdist puts an OPT record of its own into what has no records.
local QUESTION = [[
return function(dq)
  dq = known[dq] or learn(dq)
  local asked, len, udp = octets(dq)
  message.flags, message.query, message.query_len = udp, asked, len
  local result = decide(idnp, message, verdict)
  if result == 0 or result == -2 then -- -2: no ordinary query
    return NONE
  end
  if result == 3 then
    report(dq, asked, -1, 0)
    return DROP
  end
  if result < 0 then
    return SERVFAIL
  end
  local rcode = bit.band(reply[3], 15)
  report(dq, asked, rcode, 0)
  C.dnsdist_ffi_dnsquestion_set_tag(dq, 'idn', ('%%.0f %%d'):format(tonumber(ffi.cast('uintptr_t', reply)), message.reply_len))
  C.dnsdist_ffi_dnsquestion_set_rcode(dq, rcode)
  return %d
end
]]

-- An answer comes without its query, which is made again of the answer's ID, flags and question, and of its OPT record. What the
-- client can take over UDP is not known, except that the answer is not too long.
local ANSWER = [[
local CACHED = %d

local function find_opt(answer, at, len)
  for _ = 1, answer[7] + answer[9] + answer[11] + 256 * (answer[6] + answer[8] + answer[10]) do
    while at < len and answer[at] > 0 and answer[at] < 192 do
      at = at + answer[at] + 1
    end
    at = at + (at < len and answer[at] > 0 and 2 or 1)
    if at + 10 > len or answer[at] == 0 and answer[at + 1] == 41 then
      return at + 10 <= len and at
    end
    at = at + 10 + 256 * answer[at + 8] + answer[at + 9]
  end
end

local function put_opt(query, at, answer, opt, len)
  local fits = math.max(len, 512)
  ffi.fill(query + at, 11)
  query[11], query[at + 2], query[at + 3], query[at + 4] = 1, 41, bit.rshift(fits, 8), bit.band(fits, 255)
  query[at + 7] = bit.band(answer[opt + 6], 128) -- DO
  return at + 11
end

return function(dq)
  dq = known[dq] or learn(dq)
  local answer, len, udp = octets(dq)
  C.dnsdist_ffi_dnsquestion_get_qname_raw(dq, name, size)
  local records = 16 + tonumber(size[0])
  local qtype = C.dnsdist_ffi_dnsquestion_get_qtype(dq)
  if bit.band(answer[2], 0x78) ~= 0 or qtype == 251 or qtype == 252 or len < records then -- no query; a transfer; no question
    return NONE
  end
  ffi.copy(query, answer, records)
  query[2], query[3] = bit.band(answer[2], 1), bit.band(answer[3], 16) -- RD; CD
  ffi.fill(query + 6, 6)
  message.flags, message.query, message.query_len, message.answer, message.answer_len = udp, query, records, answer, len
  local result = decide(idnp, message, verdict)
  if result > 0 and result < 3 then
    local opt = find_opt(answer, records, len)
    if opt then
      message.query_len = put_opt(query, records, answer, opt, len)
      result = decide(idnp, message, verdict)
    end
  end
  if result == 3 then
    report(dq, answer, -1, 0)
    return DROP
  end
  local sent = message.reply_len > 0 and reply or answer
  if result < 0 and (answer[6] > 0 or answer[7] > 0) then -- it cannot be read, but a client might
    sent, message.reply_len = query, records
    query[2], query[3] = bit.bor(query[2], 128), bit.bor(query[3], 130)
    query[11] = 0
  end
  report(dq, sent, bit.band(sent[3], 15), sent == answer and CACHED or 0)
  if sent ~= answer then
    C.dnsdist_ffi_dnsquestion_set_skip_cache(dq, true)
    send(dq, sent, message.reply_len)
  end
  return NONE
end
]]

local GIVEN = [[
return function(dq)
  local tag = C.dnsdist_ffi_dnsquestion_get_tag(known[dq] or learn(dq), 'idn')
  if tag == nil then
    return answer(dq)
  end
  local from, len = ffi.string(tag):match('(%%d+) (%%d+)')
  send(known[dq], ffi.cast('uint8_t *', tonumber(from)), tonumber(len))
  return NONE
end
]]

-- Options: `config`, the path of idn.conf (/etc/dnsdist/idn.conf); `library`, that of libidnpolicy.so.0. Without a policy it is an error.
return function(options)
  if inClientStartup() then -- dnsdist -c
    return
  end
  local binding = folder .. 'idnpolicy.lua'
  local path = options.library or 'libidnpolicy.so.0'
  local library, idnp = dofile(binding)(path, options.config or '/etc/dnsdist/idn.conf')
  local ffi = require 'ffi'
  local file = assert(io.open(binding))
  local source = file:read('*a')
  file:close()
  local handle = ('%.0f'):format(tonumber(ffi.cast('uintptr_t', idnp)))

  local function common(actions)
    return COMMON:format(source, path, handle, actions.None, actions.Drop, actions.ServFail)
  end
  local function answer(cached)
    return LuaFFIPerThreadResponseAction(common(DNSResponseAction) .. ANSWER:format(cached))
  end
  local given = 'local answer = (function() ' .. ANSWER:format(0) .. ' end)()\n' .. GIVEN:format()

  addAction(AllRule(), LuaFFIPerThreadAction(common(DNSAction) .. QUESTION:format(DNSAction.HeaderModify)))
  addResponseAction(AllRule(), answer(0))
  addCacheHitResponseAction(AllRule(), answer(1))
  addSelfAnsweredResponseAction(AllRule(), LuaFFIPerThreadResponseAction(common(DNSResponseAction) .. given))

  -- Each second: what there is to say.
  local messages, before = ffi.new('char[?]', 65536), maintenance
  function maintenance() -- luacheck: ignore
    local len = library.idnp_messages(idnp, messages, 65536)
    for text in ffi.string(messages, len):gmatch('[^\n]+') do
      warnlog('idn: ' .. text:gsub('^idn: ', ''))
    end
    if before then
      before()
    end
  end
end

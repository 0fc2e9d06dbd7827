/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-alikes by near=, within=, words= and elsewhere=: misspelt labels, labels that have a
 * protected one as a part or with words beside it, and the protected label in another domain; and
 * what except= takes out. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

#define GOOGLING "drop lookalike googling.com near=1"
#define IS_GOOGLING " ~googling.com near #1"
#define EXCEPT "drop lookalike googling.com ascii=safe near=1 except=n\nexcept\n"
#define ASCII_NEAR(label) "drop lookalikes l tld=any ascii=safe near=1\n+ " label ".com"
#define FACEBOOK "drop lookalike facebook.com within=yes"
#define TWITTER "drop lookalike twitter.com within=yes ascii=safe"
#define IS_FACEBOOK " ~facebook.com within #1"
#define WORDS(options) "words login pay secure log\ndrop lookalike paypal.com words=1 " options
#define IS_WORDS " ~paypal.com words #1"
#define ELSEWHERE "drop lookalike paypal.com elsewhere=yes"
#define IS_PAYPAL " ~paypal.com elsewhere #1"

static struct decision_row decisions[] = {
    /* near= */
    {"near= matches a letter left out", GOOGLING, "g\u043Egling.com", A,
     "drop:1 xn--ggling-wqf.com" IS_GOOGLING},
    {"near= matches a letter added", GOOGLING, "g\u043Eoogling.com", A,
     "drop:1 xn--googling-nbh.com" IS_GOOGLING},
    {"near= matches another letter", GOOGLING, "g\u043Eoglinq.com", A,
     "drop:1 xn--goglinq-9ig.com" IS_GOOGLING},
    {"near= matches neighbours exchanged", GOOGLING, "g\u043Eolging.com", A,
     "drop:1 xn--golging-9ig.com" IS_GOOGLING},
    {"near= does not match two edits", GOOGLING, "g\u043Eglin.com", A, "-"},
    {"near= does not match ASCII labels", GOOGLING, "gogling.com", A, "-"},
    {"near= matches ASCII labels with ascii=", GOOGLING " ascii=safe", "gogling.com", A,
     "drop:1 gogling.com" IS_GOOGLING},
    {"near= does not match another first letter of five", ASCII_NEAR("apple"), "spple.com", A, "-"},
    {"near= matches the first two letters of five exchanged", ASCII_NEAR("apple"), "paple.com", A,
     "drop:1 paple.com ~apple.com near #1"},
    {"near= matches another first letter of seven", ASCII_NEAR("twitter"), "qwitter.com", A,
     "drop:1 qwitter.com ~twitter.com near #1"},
    {"near= does not match another first letter of six", ASCII_NEAR("google"), "doogle.com", A,
     "-"},
    {"near= matches a letter doubled of four", ASCII_NEAR("ebay"), "ebbay.com", A,
     "drop:1 ebbay.com ~ebay.com near #1"},
    {"near= matches a hyphen in four letters", ASCII_NEAR("ebay"), "e-bay.com", A,
     "drop:1 e-bay.com ~ebay.com near #1"},
    {"near= matches neighbours exchanged of four", ASCII_NEAR("ebay"), "eaby.com", A,
     "drop:1 eaby.com ~ebay.com near #1"},
    {"near= matches another vowel of four", ASCII_NEAR("ebay"), "ibay.com", A,
     "drop:1 ibay.com ~ebay.com near #1"},
    {"near= does not match another consonant of four", ASCII_NEAR("ebay"), "enay.com", A, "-"},
    {"near= does not match three letters", ASCII_NEAR("ing"), "iing.com", A, "-"},
    {"near= matches www joined to the label", ASCII_NEAR("ebay"), "wwwebay.com", A,
     "drop:1 wwwebay.com ~ebay.com near #1"},
    {"near= matches the suffix joined to the label", ASCII_NEAR("ebay"), "ebaycom.net", A,
     "drop:1 ebaycom.net ~ebay.com near #1"},
    {"near= does not match another suffix joined to it", ASCII_NEAR("ebay"), "ebaynet.net", A, "-"},
    {"near= matches a dot in the label", ASCII_NEAR("paypal"), "www.pay.pal.com", A,
     "drop:1 www.pay.pal.com ~paypal.com near #2"},
    {"near= does not match a dot in four letters", ASCII_NEAR("ebay"), "e.bay.com", A, "-"},
    {"near= matches under any suffix with tld=any", GOOGLING " tld=any", "a.g\u043Egling.co.uk", A,
     "drop:1 a.xn--ggling-wqf.co.uk ~googling.com near #2"},
    {"near= leaves a label further left", GOOGLING " tld=any", "g\u043Egling.example.com", A, "-"},
    {"near= prefers a whole label to an edit",
     "drop lookalikes l near=1\n+ googlinq.com\n+ googling.com", "g\u043Eogling.com", A,
     "drop:1 xn--gogling-9ig.com ~googling.com exact #1"},

    /* within= */
    {"within= matches at the start of a label", FACEBOOK, "f\u0430cebook-login.com", A,
     "drop:1 xn--fcebook-login-w1k.com" IS_FACEBOOK},
    {"within= matches at the end of a label", FACEBOOK, "myf\u0430cebook.com", A,
     "drop:1 xn--myfcebook-2yh.com" IS_FACEBOOK},
    {"within= matches between hyphens", FACEBOOK, "my-f\u0430cebook-login.com", A,
     "drop:1 xn--my-fcebook-login-wdn.com" IS_FACEBOOK},
    {"within= does not match between a hyphen and a letter", FACEBOOK, "my-f\u0430cebooklogin.com",
     A, "-"},
    {"within= matches ASCII labels with ascii=", FACEBOOK " ascii=safe", "facebook-login.com", A,
     "drop:1 facebook-login.com" IS_FACEBOOK},
    {"within= does not match seven letters before a letter", TWITTER, "twitterlogin.com", A, "-"},
    {"within= matches seven letters before a hyphen", TWITTER, "twitter-login.com", A,
     "drop:1 twitter-login.com ~twitter.com within #1"},
    {"within= matches seven letters before a digit", TWITTER, "twitter24.com", A,
     "drop:1 twitter24.com ~twitter.com within #1"},
    {"within= matches seven letters between digits", TWITTER, "1twitter24.com", A,
     "drop:1 1twitter24.com ~twitter.com within #1"},
    {"within= does not match four letters", "drop lookalike ebay.com within=yes ascii=safe",
     "ebay-id.com", A, "-"},
    {"within= does not match where two digits meet",
     "drop lookalike 4chan.org within=yes ascii=safe", "64chan.org", A, "-"},

    {"within= does not match before another digit",
     "drop lookalike chan4.org within=yes ascii=safe", "my-chan42.org", A, "-"},
    {"within= leaves another suffix", FACEBOOK, "myf\u0430cebook.net", A, "-"},
    {"within= matches after an edit had another label compared",
     "drop lookalike facebook.com near=1 within=yes ascii=safe", "facebookx.c0m", A,
     "drop:1 facebookx.c0m ~facebook.com within #1"},

    /* words= */
    {"words= matches a word after a hyphen", WORDS("ascii=safe"), "paypal-login.com", A,
     "drop:2 paypal-login.com" IS_WORDS},
    {"words= matches a word without a hyphen", WORDS("ascii=safe"), "paypallogin.com", A,
     "drop:2 paypallogin.com" IS_WORDS},
    {"words= matches a word and digits", WORDS("ascii=safe"), "24secure-paypal24.com", A,
     "drop:2 24secure-paypal24.com" IS_WORDS},
    {"words= does not match a word and more letters", WORDS("ascii=safe"), "paypal-loginx.com", A,
     "-"},
    {"words= does not match another word", WORDS("ascii=safe"), "paypal-news.com", A, "-"},
    {"words= does not match an edit", WORDS("ascii=safe near=1"), "paypl-login.com", A, "-"},
    {"words= does not match four letters",
     "words login\ndrop lookalike ebay.com words=1 ascii=safe", "ebay-login.com", A, "-"},
    {"words= matches under any suffix with tld=any", WORDS("ascii=safe tld=any"),
     "paypal-login.co.uk", A, "drop:2 paypal-login.co.uk" IS_WORDS},
    {"words= does not match words of another set",
     "words pay\nwords login\ndrop lookalike paypal.com words=1 ascii=safe", "paypal-login.com", A,
     "-"},

    /* elsewhere= */
    {"elsewhere= matches another suffix", ELSEWHERE, "paypal.xyz", A,
     "drop:1 paypal.xyz" IS_PAYPAL},
    {"elsewhere= matches left of another domain", ELSEWHERE, "paypal.evil.example", A,
     "drop:1 paypal.evil.example" IS_PAYPAL},
    {"elsewhere= matches the name left of another domain", ELSEWHERE, "www.paypal.com.evil.example",
     A, "drop:1 www.paypal.com.evil.example ~paypal.com elsewhere #2"},
    {"elsewhere= does not match the name itself", ELSEWHERE, "paypal.com", A, "-"},
    {"elsewhere= does not match a part of a label", ELSEWHERE, "paypal-login.xyz", A, "-"},
    {"elsewhere= matches a name of a list",
     "drop lookalikes l elsewhere=yes\n+ ebay.com\n+ paypal.com", "paypal.ebay.xyz", A,
     "drop:1 paypal.ebay.xyz" IS_PAYPAL},
    {"elsewhere= matches the domain of another name of the list",
     "drop lookalikes l elsewhere=yes\n+ www.paypal.xyz\n+ shop.paypal.xyz\n+ paypal.com\n"
     "+ paypal.net",
     "paypal.xyz", A, "drop:1 paypal.xyz" IS_PAYPAL},
    {"elsewhere= matches beside names that only look alike",
     "drop lookalikes l elsewhere=yes\n+ rnail.com\n+ mai1.com\n+ i.mail.com", "mail.xyz", A,
     "drop:1 mail.xyz ~i.mail.com elsewhere #1"},
    {"elsewhere= does not match three letters", "drop lookalike ing.com elsewhere=yes", "ing.xyz",
     A, "-"},

    /* except= */
    {"except= exempts a neighbour", EXCEPT "+ .googlings.com", "googlings.com", A, "-"},
    {"except= exempts a name below a neighbour", EXCEPT "+ .googlings.com", "a.b.googlings.com", A,
     "-"},
    {"except= exempts no other name", EXCEPT "+ .googlings.com", "goglings.com", A, "-"},
    {"except= exempts no name under another suffix", EXCEPT "+ .googlings.net", "googlings.com", A,
     "drop:1 googlings.com" IS_GOOGLING},
    {"except= exempts no name above a neighbour", EXCEPT "+ .a.googlings.com", "googlings.com", A,
     "drop:1 googlings.com" IS_GOOGLING},
    {"except= exempts an IDN", EXCEPT "+ .g\u043Egling.com\n+ .x.example", "g\u043Egling.com", A,
     "-"},
    {"except= keeps exemptions of its list", EXCEPT "+ .com\n+ .googlings.com / exempt",
     "googlings.com", A, "drop:1 googlings.com" IS_GOOGLING},
    {"except= of a list exempts a neighbour",
     "log lookalikes l ascii=safe near=1 tld=any except=n\n"
     "+ googling.com\nexcept\n+ .googlings.net",
     "googlings.net", A, "-"},
    {"except= of a list exempts no other name",
     "drop lookalikes l ascii=safe near=1 tld=any except=n\n"
     "+ googling.com\nexcept\n+ .googlings.net",
     "googlings.org", A, "drop:1 googlings.org" IS_GOOGLING},
    {"except= with an empty list exempts nothing",
     "drop lookalike googling.com ascii=safe near=1 except=n", "googlings.com", A,
     "drop:1 googlings.com" IS_GOOGLING},
    {"except= does not exempt from another rule",
     EXCEPT "+ .googlings.com\nlog lookalike googling.com ascii=safe near=1", "googlings.com", A,
     "- googlings.com" IS_GOOGLING " log:4"},
    {"except= does not exempt from a later rule",
     EXCEPT "+ .googlings.com\n"
            "drop lookalike googling.com ascii=safe near=1",
     "googlings.com", A, "drop:4 googlings.com" IS_GOOGLING},
    {"except= works beside lists of names",
     "nxdomain zones l\n+ .c.com\n" EXCEPT "+ .googlings.com", "googlings.com", A, "-"},
};

ADD_ROWS(test_decision, decisions, name)
TEST_MAIN

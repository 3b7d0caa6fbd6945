#![no_main]

waraq_fuzz::xml_target!(waraq_fuzz::conversion::convert);
